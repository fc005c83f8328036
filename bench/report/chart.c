/* SPDX-License-Identifier: MIT */
/* Charts as SVG; see chart.h. */
#include "bench/report/chart.h"

#include <math.h>
#include <string.h>

#include "bench/report/units.h"

/* Room around the plot, in the picture's own units. */
#define LEFT 52
#define RIGHT 14
#define RIGHT_AXIS 52
#define TOP 44
#define BOTTOM 44
#define LEGEND_STEP 118
#define BAR_HEIGHT 22
#define BAR_NAME 150
#define BAR_VALUE 86
#define BAR_NAME_CHARACTERS 21

void chart_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

void chart_range_add(struct chart_range *r, double value)
{
	if (!isfinite(value))
		return;
	if (chart_range_empty(r)) {
		r->min = r->max = value;
		return;
	}
	r->min = fmin(r->min, value);
	r->max = fmax(r->max, value);
}

bool chart_range_empty(const struct chart_range *r)
{
	return r->min > r->max;
}

/* One unit for a whole axis: that of its largest value. */
static void choose_unit(struct chart_axis *a)
{
	static const struct {
		enum metric_unit unit;
		const char *name[5];	/* each a thousand of the one before it */
	} units[] = {
		{ UNIT_BYTES_PER_S, { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" } },
		{ UNIT_BYTES, { "B", "kB", "MB", "GB", "TB" } },
		{ UNIT_IOPS, { "IOPS", "k IOPS", "M IOPS", "G IOPS", "T IOPS" } },
		{ UNIT_NS, { "ns", "µs", "ms", "s", "ks" } },
		{ UNIT_PER_S, { "/s", "k/s", "M/s", "G/s", "T/s" } },
		{ UNIT_HERTZ, { "Hz", "kHz", "MHz", "GHz", "THz" } },
	};

	a->scale = 1;
	a->unit_name = a->unit == UNIT_PERCENT ? "%" : a->unit == UNIT_CELSIUS ? "°C" :
		       a->unit == UNIT_WATTS ? "W" : "";
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t k = 0;

		if (units[i].unit != a->unit)
			continue;
		while (k < 4 && a->max >= a->scale * 1000) {
			a->scale *= 1000;
			k++;
		}
		a->unit_name = units[i].name[k];
	}
}

/* 1, 2, 2.5 or 5 times a power of ten, so that at most CHART_TICKS - 1 steps cover `span`. */
static double round_step(double span)
{
	static const double steps[] = { 1, 2, 2.5, 5, 10 };
	double power = pow(10, floor(log10(span / (CHART_TICKS - 1))));

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i] * power * (CHART_TICKS - 1) >= span * (1 - 1e-9))
			return steps[i] * power;
	return 10 * power;
}

static void set_linear(struct chart_axis *a)
{
	double step;

	if (a->from_zero && a->min > 0)
		a->min = 0;
	if (a->max <= a->min)
		a->max = a->min + (a->min > 0 ? a->min : 1);
	choose_unit(a);
	step = round_step((a->max - a->min) / a->scale);
	a->min = floor(a->min / a->scale / step + 1e-9) * step * a->scale;
	a->tick_n = 0;
	for (unsigned i = 0; i < CHART_TICKS; i++) {
		double at = a->min + i * step * a->scale;

		a->tick[a->tick_n++] = at;
		if (at >= a->max * (1 - 1e-9))
			break;
	}
	a->max = fmax(a->max, a->tick[a->tick_n - 1]);
}

/* Powers of ten; of many only every second or third. */
static void set_log(struct chart_axis *a)
{
	int low, high, every;

	if (a->min <= 0)
		a->min = 1;
	if (a->max <= a->min)
		a->max = a->min * 10;
	low = (int)floor(log10(a->min) + 1e-9);
	high = (int)ceil(log10(a->max) - 1e-9);
	every = (high - low) / CHART_TICKS + 1;
	a->min = pow(10, low);
	a->max = pow(10, high);
	a->scale = 1;
	a->unit_name = "";
	a->tick_n = 0;
	for (int i = low; i <= high && a->tick_n < CHART_TICKS; i += every)
		a->tick[a->tick_n++] = pow(10, i);
}

static double at_share(const struct chart_axis *a, double v)
{
	double share = a->is_log ? log(fmax(v, a->min) / a->min) / log(a->max / a->min)
				 : (v - a->min) / (a->max - a->min);

	return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double right_edge(const struct chart *c)
{
	return CHART_WIDTH - (c->has_right ? RIGHT_AXIS : RIGHT);
}

static double at_x(const struct chart *c, double v)
{
	return LEFT + at_share(&c->x, v) * (right_edge(c) - LEFT);
}

static double at_y(const struct chart *c, double v, bool right)
{
	const struct chart_axis *a = right ? &c->right : &c->y;

	return CHART_HEIGHT - BOTTOM - at_share(a, v) * (CHART_HEIGHT - BOTTOM - TOP);
}

static void label_of(const struct chart_axis *a, double tick, char *text, size_t size)
{
	double v = tick / a->scale;

	if (!a->is_log) {
		snprintf(text, size, "%.*g", v >= 1000 ? 4 : 3, fabs(v) < 1e-9 ? 0 : v);
		return;
	}
	/* "10 ms", without the blank */
	units_metric(text, size, a->unit, tick);
	if (a->unit == UNIT_NS) {
		static const char *const name[] = { "ns", "µs", "ms", "s" };
		int k = 0;

		while (k < 3 && v >= 999.5) {
			v /= 1000;
			k++;
		}
		snprintf(text, size, "%.0f%s", v, name[k]);
	}
}

static void put_label(FILE *out, const char *class, double x, double y, const char *text)
{
	fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	chart_text(out, text);
	fputs("</text>\n", out);
}

static void put_grid(const struct chart *c, double x1, double y1, double x2, double y2)
{
	fprintf(c->out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
		x1, y1, x2, y2);
}

static void put_x_axis(struct chart *c)
{
	double bottom = CHART_HEIGHT - BOTTOM;
	char text[64];

	for (unsigned i = 0; i < c->x.tick_n; i++) {
		double x = at_x(c, c->x.tick[i]);

		put_grid(c, x, TOP, x, bottom);
		label_of(&c->x, c->x.tick[i], text, sizeof(text));
		put_label(c->out, i == 0 ? "tick first" : i + 1 == c->x.tick_n ?
			  "tick last" : "tick", x, bottom + 16, text);
	}
	snprintf(text, sizeof(text), "%.40s%s%s", c->x.name, *c->x.unit_name ? ", " : "",
		 c->x.unit_name);
	put_label(c->out, "axis middle", (LEFT + right_edge(c)) / 2, CHART_HEIGHT - 8, text);
}

static void put_y_axis(struct chart *c, bool right)
{
	const struct chart_axis *a = right ? &c->right : &c->y;
	char text[64];

	for (unsigned i = 0; i < a->tick_n; i++) {
		double y = at_y(c, a->tick[i], right);

		if (!right)
			put_grid(c, LEFT, y, right_edge(c), y);
		label_of(a, a->tick[i], text, sizeof(text));
		put_label(c->out, right ? "tick right" : "tick left",
			  right ? right_edge(c) + 6 : LEFT - 6, y + 4, text);
	}
	snprintf(text, sizeof(text), "%.40s%s%s", a->name, *a->unit_name ? ", " : "", a->unit_name);
	put_label(c->out, right ? "axis last" : "axis first",
		  right ? CHART_WIDTH - 4 : 4, TOP - 12, text);
}

static void set_axis(struct chart_axis *a)
{
	if (a->is_log)
		set_log(a);
	else
		set_linear(a);
}

static void open_svg(FILE *out, const char *title, double height)
{
	fputs("<figure class=\"chart\"><figcaption>", out);
	chart_text(out, title);
	fprintf(out, "</figcaption>\n<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"",
		CHART_WIDTH, height);
	chart_text(out, title);
	fputs("\">\n", out);
}

void chart_begin(struct chart *c, FILE *out, const char *title, const struct chart_axis *x,
		 const struct chart_axis *y, const struct chart_axis *right)
{
	*c = (struct chart){ .out = out, .x = *x, .y = *y, .has_right = right != NULL };
	set_axis(&c->x);
	set_axis(&c->y);
	if (right) {
		c->right = *right;
		set_axis(&c->right);
	}
	open_svg(out, title, CHART_HEIGHT);
	put_x_axis(c);
	put_y_axis(c, false);
	if (right)
		put_y_axis(c, true);
}

void chart_line(struct chart *c, unsigned series, const struct point *point, uint32_t n,
		bool right)
{
	if (n == 1) {	/* a line of one point is not seen */
		chart_dots(c, series, point, n, right);
		return;
	}
	fprintf(c->out, "<polyline class=\"line s%u\" points=\"", series);
	for (uint32_t i = 0; i < n; i++)
		if (isfinite(point[i].x) && isfinite(point[i].y))
			fprintf(c->out, "%s%.1f,%.1f", i ? " " : "", at_x(c, point[i].x),
				at_y(c, point[i].y, right));
	fputs("\"/>\n", c->out);
}

void chart_dots(struct chart *c, unsigned series, const struct point *point, uint32_t n,
		bool right)
{
	fprintf(c->out, "<g class=\"dots s%u\">\n", series);
	for (uint32_t i = 0; i < n; i++)
		if (isfinite(point[i].x) && isfinite(point[i].y))
			fprintf(c->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>\n",
				at_x(c, point[i].x), at_y(c, point[i].y, right),
				n > 100 ? "1.2" : "2.5");
	fputs("</g>\n", c->out);
}

static void put_box(FILE *out, unsigned series, double x, double y, double width, double height)
{
	fprintf(out, "<rect class=\"bar s%u\" x=\"%.1f\" y=\"%.1f\" ", series, x, y);
	fprintf(out, "width=\"%.2f\" height=\"%.1f\"/>\n", width, height);
}

void chart_box(struct chart *c, unsigned series, double x1, double x2, double y)
{
	double left = at_x(c, x1), top = at_y(c, y, false);

	put_box(c->out, series, left, top, fmax(at_x(c, x2) - left, 0.5),
		CHART_HEIGHT - BOTTOM - top);
}

void chart_marker(struct chart *c, double x, const char *word)
{
	double at = at_x(c, x);
	bool left = at > (LEFT + right_edge(c)) / 2;

	fprintf(c->out, "<line class=\"marker\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
		at, TOP, at, CHART_HEIGHT - BOTTOM);
	put_label(c->out, left ? "note last" : "note first", left ? at - 4 : at + 4, TOP + 12,
		  word);
}

void chart_legend(struct chart *c, unsigned series, const char *name)
{
	double x = 4 + c->legend_n * LEGEND_STEP;
	char text[32];

	if (c->legend_n++ >= CHART_SERIES_MAX)
		return;
	fprintf(c->out, "<rect class=\"key s%u\" x=\"%.1f\" y=\"4\" ", series, x);
	fputs("width=\"12\" height=\"12\"/>\n", c->out);
	snprintf(text, sizeof(text), "%.15s", name);
	put_label(c->out, "legend", x + 17, 14, text);
}

void chart_end(struct chart *c)
{
	fprintf(c->out, "<path class=\"frame\" d=\"M%d %dV%dH%.1f\"/>\n", LEFT, TOP,
		CHART_HEIGHT - BOTTOM, right_edge(c));
	fputs("</svg></figure>\n", c->out);
}

/* At most so many characters, with an ellipsis where some are left out. */
static void cut_name(char *to, size_t size, const char *name, unsigned characters)
{
	unsigned n = 0;
	size_t used = 0;

	for (size_t i = 0; name[i]; i++)
		n += (name[i] & 0xc0) != 0x80;
	if (n <= characters) {
		snprintf(to, size, "%s", name);
		return;
	}
	n = 0;
	for (size_t i = 0; name[i] && used + 4 < size; i++) {
		n += (name[i] & 0xc0) != 0x80;
		if (n >= characters)
			break;
		to[used++] = name[i];
	}
	snprintf(to + used, size - used, "…");
}

static void put_bar(FILE *out, const struct chart_bar *b, double most, enum metric_unit unit,
		    double y)
{
	double room = CHART_WIDTH - BAR_NAME - BAR_VALUE - 16, width;
	char name[4 * BAR_NAME_CHARACTERS + 8];

	cut_name(name, sizeof(name), b->name, BAR_NAME_CHARACTERS);
	fputs("<g><title>", out);
	chart_text(out, b->name);
	fputs("</title>\n", out);
	put_label(out, "name first", 4, y + 14, name);
	if (isfinite(b->value) && b->value >= 0) {
		width = most > 0 ? fmax(1, b->value / most * room) : 1;
		put_box(out, b->series, BAR_NAME, y + 3, width, BAR_HEIGHT - 8);
		put_label(out, "value first", BAR_NAME + width + 6, y + 14,
			  units_metric(UNITS_BUF, unit, b->value));
	} else {
		put_label(out, "value first", BAR_NAME + 6, y + 14, "not measured");
	}
	fputs("</g>\n", out);
}

void chart_bars(FILE *out, const char *title, enum metric_unit unit, const struct chart_bar *bar,
		unsigned n)
{
	double most = 0;

	for (unsigned i = 0; i < n; i++)
		if (isfinite(bar[i].value))
			most = fmax(most, bar[i].value);
	open_svg(out, title, n * BAR_HEIGHT + 8);
	for (unsigned i = 0; i < n; i++)
		put_bar(out, &bar[i], most, unit, 4 + i * BAR_HEIGHT);
	fputs("</svg></figure>\n", out);
}
