"use strict";

// The page is complete without this file: it adds sorting, searching, zooming, and what connects map and table.

for (const element of document.querySelectorAll(".js")) {
  if (element.id !== "card") element.hidden = false;
}

// ---- Tables: a header sorts, the packages are searched, and shown some at a time.

const pageSize = 50;
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** What a cell is sorted by: its number if it has one, else its text. */
function key(row, column) {
  const cell = row.cells[column];
  return cell.dataset.n === undefined ? cell.textContent : Number(cell.dataset.n);
}

function compare(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b);
}

/** A table whose headers sort it. */
class SortedTable {
  constructor(table) {
    this.body = table.tBodies[0];
    this.headers = Array.from(table.tHead.rows[0].cells);
    this.headers.forEach((header, column) => {
      if (header.classList.contains("bars")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => this.sort(column));
      header.append(button);
    });
  }

  /** All rows, in their order now. */
  get rows() { return Array.from(this.body.rows); }

  sort(column) {
    const header = this.headers[column];
    // Numbers begin with the largest, names with the first.
    const first = header.classList.contains("n") ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    const order = header.getAttribute("aria-sort") === first ? second : first;
    for (const other of this.headers) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    this.show(this.rows
      .map((row) => ({ row, key: key(row, column) }))
      .sort((a, b) => sign * compare(a.key, b.key))
      .map((item) => item.row));
  }

  show(rows) { this.body.replaceChildren(...rows); }
}

const search = document.getElementById("search");
const shapes = document.getElementById("shapes");

/** The table of packages: some rows of it are shown at a time, and they are made when they are needed. */
class PackageTable extends SortedTable {
  /** What is in `<noscript>` is text where there are scripts; each row is a line. */
  static load() {
    const source = document.getElementById("package-source");
    const text = source.textContent;
    const [start, end] = [text.indexOf("<tbody>\n") + 8, text.indexOf("</tbody>")];
    const holder = document.createElement("template");
    holder.innerHTML = text.slice(0, start) + text.slice(end);
    source.after(holder.content);
    return new PackageTable(document.getElementById("package-table"), text.slice(start, end).trimEnd().split("\n"));
  }

  constructor(table, lines) {
    super(table);
    this.lines = lines;
    this.made = new Array(lines.length);
    this.titles = this.headers.map((header) => header.textContent);
    /** The places of all rows, sorted, and of those that are found. */
    this.order = lines.map((_, place) => place);
    this.found = this.order;
    this.limit = pageSize;
  }

  row(place) {
    if (this.made[place] === undefined) this.make(place, place + 1);
    return this.made[place];
  }

  make(start, end) {
    const holder = document.createElement("template");
    holder.innerHTML = this.lines.slice(start, end).join("");
    Array.from(holder.content.children).forEach((row, index) => { this.made[start + index] ??= row; });
  }

  get rows() {
    if (this.made.includes(undefined)) this.make(0, this.lines.length);
    return this.order.map((place) => this.made[place]);
  }

  show(rows) {
    this.order = rows.map(placeOf);
    this.search();
  }

  /** Shows the rows that have all words of the search. */
  search() {
    const words = folded(search.value).split(/\s+/).filter((word) => word !== "");
    this.found = words.length === 0 ? this.order
      : this.order.filter((place) => words.every((word) => this.text(place).includes(word)));
    this.update();
    if (shapes === null) return;
    for (const shape of shapes.querySelectorAll(".hit")) shape.classList.remove("hit");
    shapes.classList.toggle("found", words.length > 0);
    if (words.length > 0) for (const place of this.found) shapeOf(place)?.classList.add("hit");
  }

  /** Name, id, state and data groups. */
  text(place) {
    const { cells } = this.row(place);
    return folded([0, this.titles.indexOf("State"), cells.length - 1].map((column) => cells[column].textContent).join(" "));
  }

  update() {
    this.body.replaceChildren(...this.found.slice(0, this.limit).map((place) => this.row(place)));
    const [count, left] = [this.lines.length, this.found.length - this.limit];
    const more = document.getElementById("more");
    more.parentElement.hidden = left <= 0;
    more.textContent = left > pageSize ? `Show ${pageSize} more of ${left}` : `Show ${left} more`;
    document.getElementById("found").textContent =
      this.found.length === count ? `${count} packages` : `${this.found.length} of ${count} packages`;
  }

  /** Makes sure that a row is on the page. */
  reveal(place) {
    if (!this.found.includes(place)) {
      search.value = "";
      this.search();
    }
    const needed = this.found.indexOf(place) + 1;
    if (needed <= this.limit) return;
    this.limit = Math.ceil(needed / pageSize) * pageSize;
    this.update();
  }

  showMore() {
    this.limit += pageSize;
    this.update();
  }
}

function folded(text) { return text.normalize("NFKD").toLowerCase(); }
function placeOf(element) { return Number(element.id.slice(1)); }
function shapeOf(place) { return document.getElementById(`m${place}`); }

for (const table of document.querySelectorAll("table.sortable")) new SortedTable(table);
const packages = PackageTable.load();
packages.update();
search.addEventListener("input", () => {
  packages.limit = pageSize;
  packages.search();
});
document.getElementById("more").addEventListener("click", () => packages.showMore());
// So that the first search or sort does not have to.
globalThis.requestIdleCallback?.(() => packages.rows);

// ---- The map: a part of the drawing is shown, in its own units.

const drawing = document.getElementById("drawing");
const stage = document.querySelector(".stage");
const tip = document.getElementById("tip");
const card = document.getElementById("card");

function box(text) {
  const [x, y, width, height] = text.split(" ").map(Number);
  return { x, y, width, height };
}

class MapView {
  constructor() {
    this.all = box(drawing.getAttribute("viewBox"));
    this.focus = box(drawing.dataset.focus);
    this.view = this.all;
    this.isWaiting = false;
  }

  /** The smallest part with the shape of the stage that has all of `box`. */
  fit(box) {
    const { clientWidth, clientHeight } = stage;
    const ratio = clientHeight > 0 ? clientWidth / clientHeight : 1;
    const width = Math.max(box.width, box.height * ratio);
    const height = width / ratio;
    return { x: box.x - (width - box.width) / 2, y: box.y - (height - box.height) / 2, width, height };
  }

  show(view) {
    const all = this.fit(this.all);
    const width = Math.min(Math.max(view.width, all.width / 60), all.width);
    const height = width * all.height / all.width;
    const within = (start, size, from, whole) => Math.min(Math.max(start, from), from + whole - size);
    this.view = {
      x: within(view.x, width, all.x, all.width), y: within(view.y, height, all.y, all.height), width, height,
    };
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      const { x, y, width, height } = this.view;
      drawing.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
      // A finger that has nothing to move on the map scrolls the page.
      drawing.style.touchAction = this.showsAll ? "pan-y" : "none";
    });
  }

  get showsAll() { return this.view.width >= this.fit(this.all).width * 0.999; }

  /** Zooms by `factor`, with the point at `x` and `y` of the stage, from 0 to 1, where it is. */
  zoom(factor, x = 0.5, y = 0.5) {
    const { view } = this;
    const limit = this.fit(this.all);
    const width = Math.min(Math.max(view.width / factor, limit.width / 60), limit.width);
    const height = width * view.height / view.width;
    this.show({ x: view.x + (view.width - width) * x, y: view.y + (view.height - height) * y, width, height });
  }

  /** Moves by parts of the stage. */
  move(x, y) {
    const { view } = this;
    this.show({ ...view, x: view.x + x * view.width, y: view.y + y * view.height });
  }

  /** Shows a package with its surroundings, unless it can be seen well already. */
  bring(shape) {
    const found = shape.getBBox();
    const { view } = this;
    const isInside = found.x >= view.x && found.y >= view.y && found.x + found.width <= view.x + view.width
      && found.y + found.height <= view.y + view.height;
    const isLarge = Math.max(found.width / view.width, found.height / view.height) > 0.03;
    if (isInside && isLarge) return;
    const margin = 1.5 * Math.max(found.width, found.height);
    this.show(this.fit({
      x: found.x - margin, y: found.y - margin, width: found.width + 2 * margin, height: found.height + 2 * margin,
    }));
  }
}

const map = drawing === null ? null : new MapView();
let picked = null;

/** Shows a package on the map, in the table and beside the map. */
function pick(place, fromMap) {
  if (picked !== null) {
    packages.row(picked).classList.remove("pick");
    shapeOf(picked)?.classList.remove("pick");
  }
  picked = place;
  packages.row(place).classList.add("pick");
  const shape = shapeOf(place);
  if (shape !== null) {
    shape.classList.add("pick");
    shape.parentNode.append(shape);
    if (!fromMap) map.bring(shape);
  }
  if (fromMap) packages.reveal(place);
  fillCard(packages.row(place));
}

function fillCard(row) {
  const name = document.createElement("b");
  name.textContent = row.cells[0].querySelector("a").textContent;
  const id = document.createElement("small");
  // With the places where it may be broken.
  id.append(...row.cells[0].querySelector("small").cloneNode(true).childNodes);
  const list = document.createElement("dl");
  for (let column = 1; column < row.cells.length; column++) {
    const [title, value] = [document.createElement("dt"), document.createElement("dd")];
    title.textContent = packages.titles[column];
    value.textContent = row.cells[column].textContent;
    list.append(title, value);
  }
  const link = document.createElement("a");
  link.href = "#" + row.id;
  link.textContent = "In the table";
  card.replaceChildren(name, id, list, link);
  card.hidden = false;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#m'], a[href^='#p']");
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = /^#([mp])(\d+)$/.exec(link.getAttribute("href"));
  if (target === null) return;
  const place = Number(target[2]);
  event.preventDefault();
  if (target[1] === "p") {
    pick(place, true);
    const row = packages.row(place);
    row.scrollIntoView({ block: "center" });
    row.querySelector("a").focus({ preventScroll: true });
  } else {
    pick(place, false);
    stage.scrollIntoView({ block: "center" });
    stage.focus({ preventScroll: true });
  }
});

if (map !== null) {
  stage.style.setProperty("--shape", Math.min(Math.max(map.focus.width / map.focus.height, 0.8), 2));
  map.show(map.fit(map.focus));
  let { clientWidth, clientHeight } = stage;
  new ResizeObserver(() => {
    if (stage.clientWidth === clientWidth && stage.clientHeight === clientHeight) return;
    ({ clientWidth, clientHeight } = stage);
    map.show(map.fit(map.view));
  }).observe(stage);

  const actions = {
    in: () => map.zoom(1.6), out: () => map.zoom(1 / 1.6),
    focus: () => map.show(map.fit(map.focus)), all: () => map.show(map.fit(map.all)),
  };
  for (const button of document.querySelectorAll(".zoom button")) {
    button.addEventListener("click", actions[button.dataset.zoom]);
  }
  const keys = {
    "+": actions.in, "=": actions.in, "-": actions.out, "0": actions.all, Home: actions.focus,
    ArrowLeft: () => map.move(-0.15, 0), ArrowRight: () => map.move(0.15, 0),
    ArrowUp: () => map.move(0, -0.15), ArrowDown: () => map.move(0, 0.15),
  };
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });

  /** Where a pointer is on the stage, from 0 to 1. */
  const place = (event) => {
    const around = stage.getBoundingClientRect();
    return { x: (event.clientX - around.left) / around.width, y: (event.clientY - around.top) / around.height };
  };
  stage.addEventListener("wheel", (event) => {
    // Where the map ends, the page scrolls.
    if (event.deltaY > 0 && map.showsAll) return;
    event.preventDefault();
    const { x, y } = place(event);
    const lines = event.deltaMode === 1 ? 20 : 1;
    map.zoom(Math.exp(-Math.max(-300, Math.min(300, event.deltaY * lines)) / 400), x, y);
  }, { passive: false });

  // One pointer moves the map, two zoom it; one that has not moved picks a package.
  const pointers = new Map();
  let moved = 0;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { size: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  drawing.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, place(event));
  });
  drawing.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return showTip(event);
    const now = place(event);
    moved += Math.hypot((now.x - before.x) * stage.clientWidth, (now.y - before.y) * stage.clientHeight);
    if (pointers.size === 1) {
      pointers.set(event.pointerId, now);
      if (moved > 4) {
        tip.hidden = true;
        drawing.classList.add("moves");
        drawing.setPointerCapture(event.pointerId);
        map.move(before.x - now.x, before.y - now.y);
      }
    } else if (pointers.size === 2) {
      const from = spread();
      pointers.set(event.pointerId, now);
      const to = spread();
      if (from.size > 0) map.zoom(to.size / from.size, to.x, to.y);
      map.move(from.x - to.x, from.y - to.y);
    }
  });
  const release = (event) => {
    pointers.delete(event.pointerId);
    drawing.classList.remove("moves");
  };
  drawing.addEventListener("pointerup", (event) => {
    const isClick = pointers.size === 1 && moved <= 4;
    release(event);
    const shape = isClick ? event.target.closest("#shapes path") : null;
    if (shape === null) return;
    pick(placeOf(shape), true);
    showTip(event);
  });
  drawing.addEventListener("pointercancel", release);
  drawing.addEventListener("pointerleave", () => { tip.hidden = true; });

  /** The name and the chosen figure of the package under the pointer. */
  function showTip(event) {
    const shape = event.target.closest("#shapes path");
    tip.hidden = shape === null;
    if (shape === null) return;
    const row = packages.row(placeOf(shape));
    const by = document.querySelector("input[name='by']:checked")?.value;
    const { titles } = packages;
    const column = {
      update: 1, full: titles.indexOf("Full download"), share: titles.indexOf("Share"), state: titles.indexOf("State"),
    }[by];
    const name = document.createElement("b");
    name.textContent = row.cells[0].querySelector("a").textContent;
    tip.replaceChildren(name, `${titles[column]}: ${row.cells[column].textContent}`);
    const around = stage.getBoundingClientRect();
    const x = Math.min(event.clientX - around.left + 14, around.width - tip.offsetWidth - 8);
    const above = event.clientY - around.top - tip.offsetHeight - 12;
    const y = above >= 4 ? above : event.clientY - around.top + 18;
    tip.style.transform = `translate(${Math.max(4, x)}px, ${y}px)`;
  }
}
