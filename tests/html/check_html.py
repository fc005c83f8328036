#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Looks at an HTML report as a browser does.

check_html.py markup FILE          valid HTML; no script, no handler, nothing loaded from elsewhere
check_html.py layout FILE WIDTH    rendered by Chromium: no label leaves its picture or covers
                                   another, nothing is wider than the page
check_html.py data FILE REPORT     the link in it holds the report
"""
import base64
import json
import re
import subprocess
import sys
import tempfile
import urllib.parse

import html5lib

TAGS = set("""html head meta title style body main h1 h2 h3 p ul li b span div section table tbody
tr th td figure figcaption a svg g title rect line polyline circle path text""".split())

CHROMIUM = """chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync
--hide-scrollbars""".split()

# Collects what is wrong with the page, as the browser laid it out.
LOOK = """<script>
addEventListener('load', () => {
  const wrong = [], seen = { texts: 0, charts: 0 };
  const room = 1;
  for (const svg of document.querySelectorAll('svg')) {
    seen.charts++;
    const box = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map(t => [t, t.getBoundingClientRect()]);
    seen.texts += texts.length;
    texts.forEach(([t, r], i) => {
      if (r.left < box.left - room || r.right > box.right + room || r.top < box.top - room ||
          r.bottom > box.bottom + room)
        wrong.push(`leaves its picture: ${t.textContent}`);
      for (const [u, q] of texts.slice(i + 1))
        if (r.left < q.right - room && q.left < r.right - room && r.top < q.bottom - room &&
            q.top < r.bottom - room)
          wrong.push(`${t.textContent} covers ${u.textContent}`);
    });
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth + room)
    wrong.push(`the page is ${wide} wide, the window ${innerWidth}`);
  for (const cell of document.querySelectorAll('td, th, li, p, h1, h2'))
    if (cell.scrollWidth > cell.clientWidth + room && getComputedStyle(cell).display !== 'inline')
      wrong.push(`does not fit: ${cell.textContent.slice(0, 60)}`);
  document.documentElement.innerHTML = '<body><pre>LOOK' +
    btoa(unescape(encodeURIComponent(JSON.stringify({ wrong, seen })))) + 'END</pre></body>';
});
</script>"""


def read(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        return file.read()


def markup(path):
    text = read(path)
    assert text.lower().startswith("<!doctype html>")
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    tree = parser.parse(text)
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        tag = re.sub(r"\{.*\}", "", element.tag)
        assert tag in TAGS, f"<{tag}> has no place here"
        for name, value in element.attrib.items():
            name = name if isinstance(name, str) else name[-1]
            assert not name.lower().startswith("on"), f"a handler: {name}"
            assert name not in ("src", "srcset", "style"), f"{name} of <{tag}>"
            if name == "href":
                assert value.startswith("data:application/json;base64,"), value[:40]
    assert "@import" not in text and "url(" not in text.split("</style>")[0]


def layout(path, width):
    text = read(path)
    with tempfile.TemporaryDirectory() as folder:
        page = f"{folder}/page.html"
        with open(page, "w", encoding="utf-8") as file:
            file.write(text.replace("</body>", LOOK + "</body>", 1))
        done = subprocess.run(
            CHROMIUM + [f"--user-data-dir={folder}/data", f"--window-size={width},900",
                        "--dump-dom", "--virtual-time-budget=10000",
                        "file://" + urllib.parse.quote(page)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, timeout=120)
    found = re.search(r"LOOK([A-Za-z0-9+/=]+)END", done.stdout.decode())
    assert found, f"the page was not looked at: {done.stderr.decode()[-500:]}"
    told = json.loads(base64.b64decode(found.group(1)))
    assert not told["wrong"], "\n".join(told["wrong"][:20])
    print(f"{told['seen']['charts']} charts, {told['seen']['texts']} labels")
    return told["seen"]


def data(path, report):
    coded = re.search(r'href="data:application/json;base64,([^"]+)"', read(path)).group(1)
    assert json.loads(base64.b64decode(coded)) == json.loads(read(report))


def main():
    check, path, *rest = sys.argv[1:]
    {"markup": markup, "layout": layout, "data": data}[check](path, *rest)


if __name__ == "__main__":
    main()
