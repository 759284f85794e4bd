"""Checks reports in a browser: usage: report_checks.py SCREENSHOTS PACKAGES WORLD FEW [REPORT…]

WORLD is the report of a made-up world with that many packages, FEW the one of some odd packages (scripts/test-report).
Exit: 0 everything is as it should be, 1 not.
"""

import os
import sys

from browser import Browser

LIMIT = 1000  # milliseconds from the start of the navigation until everything is drawn
OPENINGS = 5
DRAWN = """addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => {
    globalThis.drawnAt = performance.now(); })));"""
WIDE, NARROW = (1280, 900, False), (375, 812, True)

failures = []


def check(is_right, what, figure=""):
    """Prints a line about something that has to be right."""
    print(f"{'ok  ' if is_right else 'BAD '} {what}{f': {figure}' if figure != '' else ''}")
    if not is_right:
        failures.append(what)


def shown(page):
    """The names in the rows of the table of packages."""
    return page.run("Array.from(document.querySelectorAll('#package-table tbody th a'), (link) => link.textContent)")


def center(page, selector):
    """The middle of an element that is scrolled to, in the window."""
    script = f"""(() => {{ const element = document.querySelector({selector!r});
        element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
        const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"""
    place = page.run(script)
    page.painted()
    return place


def click(page, selector):
    page.click(*center(page, selector))
    page.painted()


def view(page):
    """The part of the drawing that is shown."""
    return [float(number) for number in page.run("drawing.getAttribute('viewBox')").split(" ")]


def check_quiet(page, path):
    """Nothing complains, and nothing but the page is loaded."""
    check(page.complaints() == [], "nothing complains", page.complaints() or "")
    others = [url for url in page.requests() if url != "file://" + os.path.realpath(path)]
    check(others == [], "nothing else is loaded", others or "")


def check_speed(page, path, packages):
    """The fastest of some openings: what else runs on this machine takes its share of the others."""
    times = []
    for _ in range(OPENINGS):
        page.open(path)
        page.painted()
        times.append(page.run("drawnAt"))
    shapes = page.run("document.querySelectorAll('#shapes path').length")
    check(shapes == packages, "all packages are drawn", shapes)
    all_times = ", ".join(f"{time:.0f}" for time in times)
    check(min(times) <= LIMIT, f"drawn within {LIMIT} ms", f"{min(times):.0f} ms of {all_times}")


def check_table(page, packages):
    check(len(shown(page)) == 50, "the table begins with 50 rows", len(shown(page)))
    click(page, "#more")
    check(len(shown(page)) == 100, "and shows more", len(shown(page)))
    column = page.run("packages.titles.indexOf('Size')")
    header = f"#package-table thead th:nth-child({column + 1})"
    sizes = f"packages.rows.map((row) => Number(row.cells[{column}].dataset.n))"
    first = "Number(document.querySelector('#package-table tbody tr').id.slice(1)) === packages.order[0]"
    for order in ("descending", "ascending"):
        before = page.run("performance.now()")
        click(page, header + " button")
        took = page.run("performance.now()") - before
        found = page.run(sizes)
        check(
            found == sorted(found, reverse=order == "descending") and len(set(found)) > 1 and page.run(first),
            f"sorted by size, {order}", f"{took:.0f} ms")  # fmt: skip
        check(page.run(f"document.querySelector({header!r}).getAttribute('aria-sort')") == order, "and says so")
    check(page.run("document.querySelectorAll('[aria-sort]').length") == 1, "only one column is sorted")
    # With the keyboard, and by name as people count.
    page.run("document.querySelector('#package-table thead th button').focus()")
    page.key("Enter", "\r")
    page.painted()
    check(shown(page)[:3] == ["Place 0", "Place 1", "Place 2"], "sorted by name with the keyboard", shown(page)[:3])
    page.run("document.getElementById('search').focus()")
    page.type("place 499 changed")
    page.painted()
    expected = [n for n in range(packages) if "499" in str(n)]
    names = shown(page)
    check("Place 499" in names and all("499" in name for name in names), "found by parts of the name", len(names))
    hits = page.run("document.querySelectorAll('#shapes .hit').length")
    check(hits >= len(expected) > 0, "found packages stand out on the map", hits)
    page.run("search.value = 'no such package'; search.dispatchEvent(new Event('input'))")
    check(shown(page) == [] and "0 of" in page.run("found.textContent"), "nothing is found, and said so")
    page.run("search.value = ''; search.dispatchEvent(new Event('input'))")
    check(len(shown(page)) == 50 and page.run("document.querySelectorAll('.hit').length") == 0, "an empty search finds all")


def check_map(page):
    fill = "getComputedStyle(document.querySelector('#m7')).fill"
    colours = {}
    for choice in ("update", "full", "share", "state"):
        click(page, f"#by-{choice}")
        colours[choice] = page.run(fill)
        legends = page.run("""Array.from(document.querySelectorAll('.legend'))
            .filter((legend) => legend.offsetParent !== null).map((legend) => legend.dataset.by)""")
        check(legends == [choice], f"colours by {choice}", colours[choice])
    check(len(set(colours.values())) > 1, "and they differ")
    page.run("document.querySelector('.stage').focus()")
    start = view(page)
    for key, is_right in (
        ("+", lambda a, b: b[2] < a[2]), ("+", lambda a, b: b[2] < a[2]), ("ArrowRight", lambda a, b: b[0] > a[0]),
        ("ArrowUp", lambda a, b: b[1] < a[1]), ("ArrowLeft", lambda a, b: b[0] < a[0]),
        ("ArrowDown", lambda a, b: b[1] > a[1]), ("-", lambda a, b: b[2] > a[2]), ("0", lambda a, b: b == start),
    ):  # fmt: skip
        before = view(page)
        page.key(key, key if len(key) == 1 else None)
        page.painted()
        check(is_right(before, view(page)), f"key {key}")
    x, y = center(page, ".stage")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-400)
    page.painted()
    check(view(page)[2] < start[2], "the wheel zooms")
    before = view(page)
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseMoved", x - 90, y - 40, button="left", buttons=1)
    page.mouse("mouseMoved", x - 120, y - 60, button="left", buttons=1)
    page.mouse("mouseReleased", x - 120, y - 60, button="left", clickCount=1)
    page.painted()
    check(view(page)[0] > before[0] and view(page)[1] > before[1], "dragging moves the map")
    check(page.run("document.querySelector('.pick')") is None, "and picks nothing")
    click(page, "[data-zoom=all]")
    check(view(page) == start, "the button shows all")


def check_picking(page, packages):
    """From the table to the map, and back."""
    page.reload()
    click(page, "#p7 th a")
    check(page.run("document.querySelector('#shapes .pick').id") == "m7", "a name in the table picks on the map")
    left, top, width, height = view(page)
    x, y, shape_width, shape_height = page.run(
        "(({ x, y, width, height }) => [x, y, width, height])(document.querySelector('#m7').getBBox())")  # fmt: skip
    inside = left <= x and top <= y and x + shape_width <= left + width and y + shape_height <= top + height
    check(inside and shape_width / width > 0.05, "and brings it into view", f"{shape_width / width:.2f} of the width")
    check(page.run("document.querySelector('#card b').textContent") == "Place 7", "its figures are beside the map")
    page.run("document.querySelector('[data-zoom=all]').click()")
    last = packages - 1
    place = page.run(f"""(() => {{ const shape = document.querySelector('#m{last}'); map.bring(shape);
        document.querySelector('.stage').scrollIntoView({{ block: 'center', behavior: 'instant' }}); }})()""")
    page.painted()
    place = page.run(f"""(() => {{ const box = document.querySelector('#m{last}').getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
    page.mouse("mouseMoved", *place)
    page.painted()
    tip = page.run("tip.hidden ? '' : tip.textContent")
    check(tip.startswith(f"Place {last}"), "the pointer shows name and figure", tip)
    page.click(*place)
    page.painted()
    check(page.run("document.querySelector('tr.pick').id") == f"p{last}", "a click on the map picks in the table")
    check(page.run(f"document.querySelector('#p{last}').isConnected"), "where the row is shown")


def check_few(page, path):
    """Odd packages: names, the antimeridian, places that are not drawn."""
    page.open(path)
    page.painted()
    check(page.run("typeof hostile") == "undefined", "no script of a name has run")
    check(page.run("document.querySelectorAll('img, bdi *, tbody small *, #packages td *, #packages a *').length") == 0, "no name has become markup")
    check(any("<script>hostile=1</script>" in name for name in shown(page)), "the name is shown as it is")
    check(page.run("document.querySelector('h1 bdi').textContent") == '<i>2"', "the label, too")
    states = page.run("Array.from(document.querySelectorAll('td.state'), (cell) => cell.textContent)")
    check(sorted(set(states)) == ["changed", "gone", "new", "unchanged"], "states", ", ".join(states))
    lefts = page.run("""Object.fromEntries(Array.from(document.querySelectorAll('#package-table tbody tr'), (row) =>
        [row.cells[0].firstElementChild.textContent, document.getElementById('m' + row.id.slice(1))?.getBBox().x]))""")
    check(
        lefts["New Zealand"] < lefts["Fiji"] < lefts["Tonga"], "islands around the antimeridian are neighbours")  # fmt: skip
    check(lefts.get("The world") is None and "The world" in page.run("document.querySelector('.beside').textContent"),
          "what is all around the globe is beside the map")  # fmt: skip
    click(page, ".beside summary")
    click(page, ".beside a")
    check(page.run("document.activeElement.textContent") == "The world", "and leads to its row")
    check_quiet(page, path)


def check_without_scripts(page, path, packages):
    page.allow_scripts(False)
    page.open(path)
    for size in (WIDE, NARROW):
        page.resize(*size)
        rows = page.run("document.querySelectorAll('#packages tbody tr').length")
        check(rows == packages, "without JavaScript all rows are in the table", rows)
    check(page.run("document.querySelectorAll('#shapes path').length") == packages, "and all packages on the map")
    check(page.run("""Array.from(document.querySelectorAll('.js')).every((element) => element.offsetParent === null)"""),
          "and nothing that needs it")  # fmt: skip
    click(page, "#by-state")
    check(page.run("getComputedStyle(document.querySelector('.legend[data-by=state]')).display") != "none", "colours can be chosen")
    page.allow_scripts(True)


def check_widths(page, path):
    for width in (320, 375, 768, 1280, 2560):
        page.resize(width, 800, width < 768)
        page.open(path)
        page.painted()
        found = page.run("document.documentElement.scrollWidth")
        check(found <= width, f"no page scrolling sideways at {width} px", found)


def check_schemes(page, path):
    """Text in both schemes stands out from what is behind it (WCAG 2.2, 1.4.3: 4.5 to 1)."""
    ratio = """((selector, behind) => { const light = (color) => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number)
        .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const a = light(getComputedStyle(document.querySelector(selector)).color);
        const b = light(getComputedStyle(document.querySelector(behind)).backgroundColor);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })"""
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        page.open(path)
        for text, behind in (("h1", "body"), ("h1 small", "body"), ("section > p", "body"), ("thead th", ".wide"),
                             ("tbody th a", ".wide"), ("tbody small", ".wide"), (".tiles small", ".tiles > div"),
                             (".legend p", ".cartography")):  # fmt: skip
            found = page.run(f"{ratio}({text!r}, {behind!r})")
            check(found >= 4.5, f"{scheme}: contrast of {text}", f"{found:.1f}")


def take_screenshots(page, path, folder):
    name = os.path.basename(path).removeprefix("report-")
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        for title, size in (("wide", WIDE), ("narrow", NARROW)):
            page.resize(*size)
            page.open(f"{path}/index.html")
            page.screenshot(f"{folder}/{name}-{scheme}-{title}.png")
            page.screenshot(f"{folder}/{name}-{scheme}-{title}-top.png", whole=False)


def main():
    folder, packages = sys.argv[1], int(sys.argv[2])
    world, few = (f"{path}/index.html" for path in sys.argv[3:5])
    with Browser() as page:
        page.call("Page.addScriptToEvaluateOnNewDocument", source=DRAWN)
        page.prefer("light")
        page.resize(*WIDE)
        check_speed(page, world, packages)
        check_table(page, packages)
        check_map(page)
        check_picking(page, packages)
        check_quiet(page, world)
        check_few(page, few)
        check_widths(page, few)
        check_widths(page, world)
        check_schemes(page, world)
        page.resize(*WIDE)
        check_without_scripts(page, world, packages)
        for path in sys.argv[3:]:
            take_screenshots(page, path, folder)
    print(f"\nscreenshots: {folder}")
    if failures:
        sys.exit(f"{len(failures)} things are wrong: " + "; ".join(failures))


main()
