/* SPDX-License-Identifier: MIT */
/* Frames: a sender that has gone wild is seen. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench/run/frame.h"
#include "tests/unit/tap.h"

static void test_frames(void)
{
	static struct frame_reader reader;
	static struct result r;
	int fd[2];

	is_int(pipe2(fd, O_NONBLOCK), 0, "a pipe");
	ok(fcntl(fd[1], F_SETPIPE_SZ, 1 << 20) >= (int)(2 * sizeof(r)),
	   "with room for two results");
	frame_reader_init(&reader);
	is_int(frame_read(&reader, fd[0]), 0, "an empty pipe has no frame");
	frame_write(fd[1], FRAME_STARTED, 7, NULL, 0);
	result_init(&r, "t", "d");
	frame_write(fd[1], FRAME_RESULT, 8, &r, sizeof(r));
	is_int(frame_read(&reader, fd[0]), 1, "first frame");
	is_uint(reader.frame.entry, 7, "its entry");
	is_int(frame_read(&reader, fd[0]), 1, "second frame");
	is_uint(reader.frame.entry, 8, "its entry");
	is_int(frame_read(&reader, fd[0]), 0, "no third");
	r.metric_n = RESULT_METRICS_MAX + 1;
	frame_write(fd[1], FRAME_RESULT, 8, &r, sizeof(r));
	is_int(frame_read(&reader, fd[0]), -EBADMSG, "a count past its array is refused");
	frame_reader_init(&reader);
	result_init(&r, "t", "d");
	memset(r.reason, 'x', sizeof(r.reason));
	frame_write(fd[1], FRAME_RESULT, 8, &r, sizeof(r));
	is_int(frame_read(&reader, fd[0]), -EBADMSG, "so is a text without its end");
	frame_reader_init(&reader);
	frame_write(fd[1], FRAME_PROGRESS, 8, &r, 4);
	is_int(frame_read(&reader, fd[0]), -EBADMSG, "and a wrong length");
	close(fd[1]);
	close(fd[0]);
	pipe2(fd, O_NONBLOCK);
	frame_reader_init(&reader);
	close(fd[1]);
	is_int(frame_read(&reader, fd[0]), -EPIPE, "the end of the stream");
	close(fd[0]);
}

int main(void)
{
	test_frames();
	return tap_done();
}
