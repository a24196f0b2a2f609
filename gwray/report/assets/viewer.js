// @ts-check
// Shows one episode, or two side by side: slider, step strip, the action drawn on the screenshot, the reply and the
// state changes. All recorded text is shown with textContent; only scripts and screenshots of this site are loaded.
"use strict";
/** @type {any} */ (window).gwray = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const root = document.documentElement;
  /** @type {Map<string, any>} */
  const store = new Map();
  /** @type {Map<string, (value: any) => void>} */
  const waiting = new Map();

  /** @returns {any} */
  function el(/** @type {string} */ tag, /** @type {string} */ cls = "", /** @type {string | null} */ text = null) {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== null) e.textContent = text;
    return e;
  }
  function svg(/** @type {string} */ tag, /** @type {Record<string, any>} */ attrs) {
    const e = document.createElementNS(SVG, tag);
    for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, String(v));
    return e;
  }
  const percent = (/** @type {number | null} */ x) => (x == null ? "–" : `${(100 * x).toFixed(1)} %`);
  const count = (/** @type {number | null} */ x) => (x == null ? "–" : x.toLocaleString("en"));
  const seconds = (/** @type {number | null} */ ms) => (ms == null ? "–" : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`);
  const usd = (/** @type {number | null} */ x) => (x == null ? "price unknown" : `$${x.toFixed(4)}`);
  const value = (/** @type {number | null} */ x) => (x == null ? "–" : String(Math.round(x * 1000) / 1000));

  function load(/** @type {string} */ name, /** @type {string} */ src) {
    if (store.has(name)) return Promise.resolve(store.get(name));
    return new Promise((done, failed) => {
      waiting.set(name, done);
      const s = document.createElement("script");
      s.src = src;
      s.onerror = () => failed(new Error("not there"));
      document.head.append(s);
    });
  }

  /** Draws an action on the screenshot, in the screenshot's pixels. */
  function overlay(/** @type {SVGElement} */ stage, /** @type {any[]} */ roles, /** @type {number} */ w, /** @type {number} */ h) {
    stage.replaceChildren();
    stage.setAttribute("viewBox", `0 0 ${w} ${h}`);
    const colours = ["#ff5a36", "#28b4ff", "#ffd23f"];
    roles.forEach((role, i) => {
      const a = role.action;
      if (!a) return;
      const c = colours[i % colours.length];
      const line = (/** @type {any} */ o) => {
        for (const [color, width] of [["#000", 7], [c, 4]]) stage.append(svg("line", { ...o, stroke: color, "stroke-width": width, "stroke-linecap": "round" }));
      };
      const ring = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) => {
        stage.append(svg("circle", { cx: x, cy: y, r, fill: "none", stroke: "#000", "stroke-width": 7 }));
        stage.append(svg("circle", { cx: x, cy: y, r, fill: "none", stroke: c, "stroke-width": 4, class: "mark" }));
        stage.append(svg("circle", { cx: x, cy: y, r: 4, fill: c }));
      };
      const arrow = (/** @type {number} */ x1, /** @type {number} */ y1, /** @type {number} */ x2, /** @type {number} */ y2) => {
        line({ x1, y1, x2, y2 });
        const t = Math.atan2(y2 - y1, x2 - x1);
        for (const d of [2.6, -2.6]) line({ x1: x2, y1: y2, x2: x2 + 18 * Math.cos(t + d), y2: y2 + 18 * Math.sin(t + d) });
      };
      const num = (/** @type {any} */ v) => (typeof v === "number" && Number.isFinite(v) ? v : 0);
      const x = num(a.x), y = num(a.y);
      if (a.action === "click_hold" && a.x == null) return; // where the pointer was
      if (a.action === "click") for (let k = 0; k < (num(a.count) || 1); k++) ring(x, y, 16 + 9 * k);
      else if (a.action === "click_hold") { ring(x, y, 16); stage.append(svg("circle", { cx: x, cy: y, r: 11, fill: c, "fill-opacity": .5 })); }
      else if (a.action === "drag" || a.action === "pull") { ring(x, y, 12); arrow(x, y, num(a.to_x), num(a.to_y)); }
      else if (a.action === "mouse_move") { if (a.from_x != null && a.from_y != null) arrow(num(a.from_x), num(a.from_y), x, y); ring(x, y, 9); }
      else if (a.action === "scroll") { ring(x, y, 9); arrow(x, y, x + num(a.dx) / 4, y + Math.sign(num(a.dy)) * Math.min(120, Math.abs(num(a.dy)))); }
    });
    keysOnPicture(stage, roles, h);
  }

  /** Labels of the keys that an action presses. @returns {string[]} */
  function keysOf(/** @type {any} */ a) {
    const keys = a.action === "press_key" ? [a.key] : a.action === "press_keys" ? a.keys ?? [] : a.action === "type" ? [...String(a.text ?? "")] : [];
    return keys.map((/** @type {any} */ k) => (k === " " ? "Space" : String(k)));
  }
  const ARROWS = /** @type {Record<string, string>} */ ({ ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" });

  /** Key caps in the lower left corner of the screenshot, one row per role. */
  function keysOnPicture(/** @type {SVGElement} */ stage, /** @type {any[]} */ roles, /** @type {number} */ h) {
    const rows = roles.filter((role) => role.action && keysOf(role.action).length);
    rows.forEach((role, line) => {
      let left = 18;
      const y = h - 18 - 46 * (rows.length - line);
      const names = keysOf(role.action).slice(0, 12).map((k) => ARROWS[k] ?? k.slice(0, 16));
      for (const name of roles.length > 1 ? [role.role.slice(0, 16), ...names] : names) {
        const cap = name !== role.role.slice(0, 16) || roles.length === 1;
        const w = 24 + 13 * Math.max(1, [...name].length);
        const g = svg("g", { class: "pressed" });
        g.append(svg("rect", { x: left, y, width: w, height: 40, rx: 7, fill: "#000", "fill-opacity": .72, stroke: cap ? "#fff" : "none", "stroke-width": 2 }));
        const t = svg("text", { x: left + w / 2, y: y + 27, fill: "#fff", "text-anchor": "middle", "font-size": 21, "font-weight": 600, "font-family": "ui-monospace, monospace" });
        t.textContent = name;
        g.append(t); stage.append(g);
        left += w + 8;
      }
    });
  }

  function keycaps(/** @type {HTMLElement} */ box, /** @type {any[]} */ roles) {
    box.replaceChildren();
    for (const role of roles) {
      const group = el("span", "acted");
      box.append(group);
      if (roles.length > 1) group.append(el("span", "facts", `${role.role}:`));
      const a = role.action;
      if (!a) { group.append(el("span", "tag bad", `no action: ${role.validity.replaceAll("_", " ")}`)); continue; }
      const keys = keysOf(a), plain = describe(a);
      if (role.control && role.control.replaceAll("_", " ") !== plain) group.append(el("span", "tag", role.control));
      for (const k of keys) group.append(el("kbd", "", k));
      if (!keys.length) group.append(el("span", "", plain));
      if (a.duration_ms != null) group.append(el("span", "legend", `${a.duration_ms} ms`));
    }
  }
  function describe(/** @type {any} */ a) {
    if (a.action === "command") return `${a.name}(${a.args ?? ""})`;
    const at = a.x != null ? ` (${Math.round(a.x)}, ${Math.round(a.y)})` : "";
    const to = a.to_x != null ? ` → (${Math.round(a.to_x)}, ${Math.round(a.to_y)})` : "";
    return `${String(a.action).replaceAll("_", " ")}${at}${to}`;
  }

  function block(/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ cls = "") {
    const b = el("div", "block"), head = el("div", "blockhead"), copy = el("button", "quiet copy", "Copy");
    copy.type = "button"; copy.setAttribute("aria-label", `Copy: ${title}`);
    const pre = el("pre", `verbatim ${cls}`, text);
    pre.tabIndex = 0; pre.setAttribute("aria-label", title); pre.setAttribute("role", "group");
    copy.addEventListener("click", async () => {
      // Without clipboard access, the text is selected, so that it can be copied.
      try { await navigator.clipboard.writeText(text); copy.textContent = "Copied"; } catch { getSelection()?.selectAllChildren(pre); copy.textContent = "Selected"; }
    });
    head.append(el("h3", "", title), copy);
    b.append(head, pre);
    return b;
  }
  function numbers(/** @type {[string, string][]} */ rows) {
    const dl = el("dl", "numbers");
    for (const [k, v] of rows) { const d = el("div"); d.append(el("dt", "", k), el("dd", "", v)); dl.append(d); }
    return dl;
  }

  /** Keys of events, and whether a step has one. @type {Record<string, (step: any, before: any) => boolean>} */
  const EVENTS = {
    i: (step) => step.roles.some((/** @type {any} */ q) => q.validity !== "valid"),
    r: (step) => step.reset,
    m: (step, before) => step.best > (before?.best ?? 0),
  };
  const KINDS = /** @type {[string, string][]} */ ([["goal", "goals"], ["clue", "clues"], ["rule", "rules"], ["skill", "skills"], ["done", "done lately"]]);
  /** The agent's notes at a step, the newest of each kind first; empty for agents without notes. */
  function memory(/** @type {any[]} */ all, /** @type {number} */ i, /** @type {string} */ role, /** @type {Set<string>} */ shut) {
    const now = all.filter((n) => n.role === role && n.since <= i && (n.until == null || i < n.until));
    if (!all.some((n) => n.role === role)) return null;
    const box = el("div", "memory");
    box.append(el("h3", "", now.length ? "agent notes" : "agent notes: none yet"));
    for (const [kind, words] of KINDS) {
      const notes = now.filter((n) => n.kind === kind).sort((p, q) => q.since - p.since);
      if (!notes.length) continue;
      const part = el("details"), list = el("ul"), fresh = notes.filter((n) => n.since === i).length;
      part.open = !shut.has(kind);
      const head = el("summary", "", `${notes.length} ${notes.length === 1 ? words.replace(/s$/, "") : words}`);
      // Set synchronously: `toggle` fires after the next key has drawn another step.
      head.addEventListener("click", () => { if (part.open) shut.add(kind); else shut.delete(kind); });
      if (fresh) head.append(" ", el("span", "tag good", `${fresh} new`));
      for (const n of notes) {
        const li = el("li", n.since === i ? "fresh" : "");
        li.append(el("bdi", "", n.text), n.place ? el("span", "facts", ` ${n.place}`) : "", el("span", "facts", n.since === i ? " · new" : ` · since step ${n.since + 1}`));
        list.append(li);
      }
      list.tabIndex = 0; list.setAttribute("aria-label", words);
      part.append(head, list); box.append(part);
    }
    return box;
  }

  /** The pane of one episode. */
  function pane(/** @type {any} */ d, /** @type {(n: number) => void} */ seek) {
    const box = el("article", "pane");
    box.dataset.key = d.key;
    const title = el("h2");
    const r = d.record;
    title.append(el("bdi", "", d.name || `${r.model} · ${r.interface.replaceAll("_", "-")}`), " ");
    if (r.status === "failed") title.append(el("span", "tag bad", `failed after ${d.steps.length} steps: no score`));
    else title.append(el("span", `tag ${r.success ? "good" : ""}`, r.success ? "success" : `progress ${percent(r.progress)}`));
    for (const l of d.labels) {
      const step = d.label_at?.[l];
      if (step == null) { title.append(el("span", "tag warn", l)); continue; }
      const jump = el("button", "tag warn", `${l} ›`); jump.type = "button"; jump.title = `go to step ${step + 1}, where it first occurs`;
      jump.addEventListener("click", () => seek(step)); title.append(jump);
    }
    for (const c of r.caveats) title.append(el("span", "tag warn", c));
    title.append(el("span", "facts", `${[...d.axes, `seed ${r.seed}`, `repeat ${r.repeat}`].join(" · ")}${r.reproducible ? "" : " · not reproducible"}`));
    if (r.error_message) title.append(el("span", "facts", `${r.error_class || "error"}: ${r.error_message}`));
    const task = el("div", "asked");
    if (d.task_text) {
      const words = el("p");
      words.append(el("strong", "", d.task_text.title), `: ${d.task_text.instruction} `, el("span", "facts", `Goal: ${d.task_text.goal}.`));
      task.append(words);
    }
    const left = el("div", "left"), right = el("div", "right");
    const stage = el("div", "stage"), img = el("img"), draw = svg("svg", { "aria-hidden": "true" });
    const nothing = el("span", "nothing", r.sees_text ? "The agent read a description of the game in words, without a screenshot." : "no screenshot of this step");
    const large = el("button", "large", "⤢");
    large.type = "button"; large.title = "Toggle full screen"; large.setAttribute("aria-label", large.title);
    large.hidden = !document.fullscreenEnabled;
    if (document.fullscreenEnabled) stage.addEventListener("click", () => { (document.fullscreenElement ? document.exitFullscreen() : stage.requestFullscreen()).catch(() => {}); });
    stage.append(img, draw, nothing, large);
    const keys = el("div", "keys");
    const curve = svg("svg", { class: "curve", viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img", "aria-label": "Progress in percent over the steps" });
    const legend = el("div", "legend");
    for (const [cls, text] of [["now", "progress"], ["best", "best so far"], ["reset", "reset"], ["invalid", "invalid action"]]) {
      const s = el("span"), i = svg("svg", { viewBox: "0 0 18 6", "aria-hidden": "true" });
      i.append(svg("line", { class: cls, ...(cls === "reset" || cls === "invalid" ? { x1: 9, x2: 9, y1: 0, y2: 6 } : { x1: 0, x2: 18, y1: 3, y2: 3 }) })); s.append(i, text); legend.append(s);
    }
    const strip = el("div", "strip"); strip.setAttribute("role", "group"); strip.setAttribute("aria-label", "Steps: arrow keys move by one step"); strip.tabIndex = 0;
    const plot = el("div", "progress"), steps = el("div", "steps"), scale = el("div", "scale");
    for (const at of ["100 %", "50 %", "0 %"]) scale.append(el("span", "", at));
    steps.append(el("span", "", "step 1"), el("span", "", `step ${d.steps.length || 1}${d.final ? ", end" : ""}`));
    plot.append(scale, curve, steps);
    left.append(stage, keys, plot, legend, strip);
    box.append(title, task, left, right);

    const n = d.steps.length, total = n + (d.final ? 1 : 0);
    const x = (/** @type {number} */ i) => (i / (Math.max(total, 2) - 1)) * 1000;
    for (const y of [2, 50, 98]) curve.append(svg("line", { class: "grid", x1: 0, x2: 1000, y1: y, y2: y }));
    // The end shows the result of the last step.
    const told = d.final && n ? [...d.steps, d.steps[n - 1]] : d.steps;
    const path = (/** @type {(s: any) => number | null} */ f) => told.map((/** @type {any} */ s, /** @type {number} */ i) => [x(i), f(s)])
      .filter((/** @type {any} */ p) => p[1] != null).map((/** @type {any} */ p, /** @type {number} */ i) => `${i ? "L" : "M"}${p[0].toFixed(1)} ${(98 - 96 * Math.min(1, Math.max(0, p[1]))).toFixed(1)}`).join("");
    curve.append(svg("path", { class: "best", d: path((s) => s.best) }), svg("path", { class: "now", d: path((s) => s.progress) }));
    d.steps.forEach((/** @type {any} */ s, /** @type {number} */ i) => {
      if (s.roles.some((/** @type {any} */ q) => q.validity !== "valid")) curve.append(svg("line", { class: "invalid", x1: x(i), x2: x(i), y1: 90, y2: 100 }));
      if (s.reset) curve.append(svg("line", { class: "reset", x1: x(i), x2: x(i), y1: 0, y2: 14 }));
    });
    const cursor = svg("line", { class: "at", y1: 0, y2: 100 });
    curve.append(cursor);
    curve.addEventListener("click", (/** @type {any} */ e) => {
      const f = (e.clientX - curve.getBoundingClientRect().left) / curve.getBoundingClientRect().width;
      seek(Math.round(f * (Math.max(total, 2) - 1)));
    });
    /** @type {HTMLElement[]} */
    const film = [];
    for (let i = 0; i < total; i++) {
      const b = el("button");
      b.type = "button"; b.tabIndex = -1;
      const s = d.steps[i];
      const bad = s?.roles.some((/** @type {any} */ q) => q.validity !== "valid");
      const marks = `${bad ? " ✕" : ""}${s?.reset ? " ↺" : ""}`;
      b.className = bad ? "invalid" : s?.reset ? "reset" : "";
      b.setAttribute("aria-label", s ? `Step ${i + 1}${bad ? ", invalid action" : ""}${s.reset ? ", reset" : ""}` : "The end");
      const thumb = d.frames[i];
      if (thumb) { const t = el("img"); t.loading = "lazy"; t.alt = ""; t.src = d.base + thumb; b.append(t); } else b.append(el("span", "blank"));
      b.append(s ? `${i + 1}${marks}` : "end");
      b.addEventListener("click", () => seek(i));
      strip.append(b); film.push(b);
    }

    let now = -1;
    /** @type {Set<string>} */
    const shut = new Set(["done"]);
    img.addEventListener("load", () => { stage.style.aspectRatio = `${img.naturalWidth} / ${img.naturalHeight}`; paint(); });
    function paint() {
      // A report may scale screenshots down; coordinates refer to the original size.
      const w = img.naturalWidth || 1280, h = img.naturalHeight || 720, wide = d.wide?.[now] || w;
      overlay(draw, d.steps[now]?.roles ?? [], wide, (h * wide) / w);
    }
    function show(/** @type {number} */ wanted) {
      const i = Math.max(0, Math.min(total - 1, wanted));
      if (i === now) return;
      film[now]?.removeAttribute("aria-current");
      now = i;
      film[i]?.setAttribute("aria-current", "true");
      if (film[i]) strip.scrollLeft = film[i].offsetLeft - strip.offsetLeft - strip.clientWidth / 2 + 33;
      cursor.setAttribute("x1", String(x(i))); cursor.setAttribute("x2", String(x(i)));
      const src = d.frames[i];
      nothing.hidden = Boolean(src); img.hidden = !src;
      if (src) { img.src = d.base + src; img.alt = d.steps[i] ? `Screenshot at step ${i + 1}` : "Screenshot at the end"; } else img.removeAttribute("src");
      paint();
      right.replaceChildren();
      const s = d.steps[i];
      if (!s) {
        keys.replaceChildren(el("span", "", "The end"));
        right.append(numbers([["ended by", r.ended_by || "–"], ["success", r.success ? "yes" : "no"], ["best progress", percent(r.progress)], ["score", value(r.score)],
          ["steps", count(r.steps)], ["resets", count(r.resets)], ["input tokens", count(r.input_tokens)], ["output tokens", count(r.output_tokens)],
          ["cost", r.cost_usd == null && !r.input_tokens && !r.output_tokens ? "–" : usd(r.cost_usd)], ["thinking", seconds(r.latency_ms)], ["game time", seconds(r.game_time_ms)]]));
        return;
      }
      keycaps(keys, s.roles);
      right.append(numbers([["progress", percent(s.progress)], ["best so far", percent(s.best)], ["score", value(s.score)],
        ["game time", seconds(s.time_ms)], ["charged", seconds(s.charged_ms)], ["attempt", String(s.attempt + 1)]]));
      if (s.reset) right.append(el("p", "verdict invalid", `The game ended (${s.terminal ?? "fail"}) and was reset after this step.`));
      else if (s.terminal) right.append(el("p", "verdict", `The game ended: ${s.terminal}.`));
      for (const q of s.roles) {
        if (s.roles.length > 1) right.append(el("h2", "", q.role));
        if (q.observed?.length) right.append(block("what the agent was told", q.observed.map((/** @type {number} */ n) => d.state_lines[n]).join("\n")));
        if (q.reasoning) right.append(block("reasoning", q.reasoning));
        right.append(block("reply", q.text || "(empty)", q.validity === "valid" ? "" : "invalid"));
        if (q.tool_calls) right.append(block("tool calls", q.tool_calls));
        const verdict = el("p", `verdict ${q.validity === "valid" ? "" : "invalid"}`);
        verdict.append(el("strong", "", q.validity === "valid" ? "Parsed as " : `${q.validity.replaceAll("_", " ")}. `));
        if (q.action) verdict.append(`${q.control && q.control.replaceAll("_", " ") !== describe(q.action) ? `${q.control}: ` : ""}${describe(q.action)}${q.action.key ? ` ${q.action.key}` : ""}${Array.isArray(q.action.keys) ? ` ${q.action.keys.join(" + ")}` : ""}`);
        if (q.reason) verdict.append(`${q.action ? " · " : ""}${q.reason}`);
        right.append(verdict);
        if (q.ok != null) right.append(block(`the game's answer: ${q.ok ? "ok" : "failed"}`, q.feedback || "(no words)", q.ok ? "" : "invalid"));
        const kept = memory(d.memory ?? [], i, q.role, shut);
        if (kept) right.append(kept);
        right.append(numbers([["thinking", seconds(q.latency_ms)], ["input tokens", count(q.input)], ["cached tokens", count(q.cached)], ["output tokens", count(q.output)], ["reasoning tokens", count(q.thought)], ["cost", q.cost == null && !q.input && !q.output ? "–" : usd(q.cost)]]));
      }
      const b = el("div", "block");
      const begins = i === 0 || d.steps[i - 1].reset;
      b.append(el("h3", "", `state changes${s.more ? ` (and ${s.more} more)` : ""}`));
      if (!s.diff.length) b.append(el("p", "facts", begins ? "First step of an attempt: nothing to compare with." : "Nothing."));
      if (s.diff.length) {
        const t = el("table", "diff"), body = el("tbody");
        for (const [p, was, is] of s.diff) { const tr = el("tr"); tr.append(el("td", "", p), el("td", "was", was ?? "—"), el("td", "is", is ?? "—")); body.append(tr); }
        t.append(body);
        const sc = el("div", "scroll"); sc.append(t); b.append(sc);
      }
      right.append(b);
      const more = el("details"); more.append(el("summary", "", "State and prompt"));
      more.append(block("state", s.state.map((/** @type {number} */ n) => d.state_lines[n]).join("\n")));
      for (const [role, text] of Object.entries(d.prompts)) more.append(block(`prompt of ${role}`, String(text)));
      if (d.console.length) more.append(block("page console", d.console.join("\n")));
      right.append(more);
    }
    return { box, show, total, steps: n };
  }

  async function start(/** @type {any} */ first) {
    const mount = /** @type {any} */ (document.getElementById("viewer"));
    const base = mount.dataset.root;
    const r = first.record;
    const head = el("div", "wide head");
    const h1 = el("h1"), named = first.task_text ? `${first.task_text.title}: ${first.task_text.goal}` : `${r.game} · ${r.task}`;
    h1.append(el("bdi", "", named)); head.append(h1);
    const controls = el("div", "wide controls"); controls.setAttribute("role", "group"); controls.setAttribute("aria-label", "Steps");
    const play = el("button", "", "Play"); play.type = "button"; play.title = "Space: play. Arrow keys: one step, Page Up and Down: ten, Home and End: first and last. I: next invalid action, R: next reset, M: next best progress; with Shift: the one before.";
    const slider = el("input"); slider.type = "range"; slider.min = "1"; slider.id = "step"; slider.setAttribute("aria-label", "Step");
    const out = el("output"); out.htmlFor = "step";
    const other = el("select"); other.setAttribute("aria-label", "Compare with");
    const none = el("option", "", "compare with: none"); none.value = ""; other.append(none);
    for (const p of first.peers) { const o = el("option", "", `compare with: ${p.name} · ${percent(p.progress)}`); o.value = p.key; other.append(o); }
    controls.append(play, slider, out);
    if (first.peers.length) controls.append(other);
    const panes = el("div", "wide panes");
    const nearby = el("nav", "wide around"); nearby.hidden = true; nearby.setAttribute("aria-label", "Neighboring episodes");
    const asides = /** @type {any} */ (window).gwrayAsides;
    mount.replaceChildren(nearby, head, controls, panes);
    /** @type {string} */
    const list = asides?.among() ?? "";
    if (list) asides.around(el, nearby, first.key, base, await load("episodes", `${base}data/episodes.js`).catch(() => null));
    /** @type {any[]} */
    let shown = [];
    let at = -1, timer = 0, beside = "";
    const last = () => Math.max(...shown.map((p) => p.total));

    function seek(/** @type {number} */ i, /** @type {boolean} */ quiet = false) {
      i = Math.max(0, Math.min(last() - 1, i));
      for (const p of shown) p.show(i);
      at = i;
      slider.max = String(last()); slider.value = String(i + 1);
      const steps = Math.max(...shown.map((p) => p.steps));
      out.textContent = !steps ? "no steps" : i < steps ? `step ${i + 1} of ${steps}` : `the end, ${steps} steps`;
      slider.setAttribute("aria-valuetext", out.textContent);
      // Some browsers refuse frequent updates, as from a slider.
      if (!quiet) try { history.replaceState(null, "", `#step=${i + 1}${beside ? `&with=${encodeURIComponent(beside)}` : ""}${list && `&${list}`}`); } catch { /* the next one counts */ }
      root.dataset.step = String(i + 1);
    }
    async function place(/** @type {string} */ key) {
      /** @type {any} */
      let second = null;
      if (key) { try { second = await load(`replay:${key}`, `${base}data/replay/${encodeURIComponent(key)}.js`); } catch { key = ""; } }
      beside = key; other.value = key;
      panes.classList.toggle("two", Boolean(second));
      shown = [first, ...(second ? [second] : [])].map((d) => pane({ ...d, base }, (i) => seek(i)));
      panes.replaceChildren(...shown.map((p) => p.box));
      at = -1;
    }
    function stop() { clearInterval(timer); timer = 0; play.textContent = "Play"; }
    play.addEventListener("click", () => {
      if (timer) return stop();
      if (at >= last() - 1) seek(0);
      play.textContent = "Pause";
      timer = setInterval(() => { if (at >= last() - 1) stop(); else seek(at + 1); }, 350);
    });
    slider.addEventListener("input", () => { stop(); seek(Number(slider.value) - 1); });
    other.addEventListener("change", async () => { const i = at; await place(other.value); seek(i); });
    addEventListener("keydown", (e) => {
      const on = /** @type {HTMLElement} */ (e.target);
      if (e.altKey || e.ctrlKey || e.metaKey || on.closest?.("select, textarea, input:not([type=range]), pre")) return;
      const jump = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[e.key];
      if (jump) { e.preventDefault(); stop(); seek(at + jump * (e.shiftKey ? 10 : 1)); }
      else if (e.key.toLowerCase() in EVENTS) {
        const found = EVENTS[e.key.toLowerCase()], way = e.shiftKey ? -1 : 1;
        let i = at + way;
        while (i >= 0 && i < first.steps.length && !found(first.steps[i], first.steps[i - 1])) i += way;
        if (i >= 0 && i < first.steps.length) { stop(); seek(i); }
      }
      else if (e.key === "Home") { e.preventDefault(); stop(); seek(0); }
      else if (e.key === "End") { e.preventDefault(); stop(); seek(last() - 1); }
      else if (e.key === " " && !on.closest?.("button, summary, a")) { e.preventDefault(); play.click(); }
    });
    async function followHash() {
      const h = new URLSearchParams(location.hash.slice(1));
      const key = h.get("with") ?? "";
      if (key !== beside || !shown.length) await place(/^[\w.-]+$/.test(key) ? key : "");
      const step = Number(h.get("step") ?? "1");
      seek((Number.isFinite(step) ? Math.trunc(step) : 1) - 1, true);
    }
    addEventListener("hashchange", followHash);
    await followHash();
    root.dataset.ready = "yes";
  }

  addEventListener("DOMContentLoaded", () => {
    const key = document.getElementById("viewer")?.dataset.key;
    const d = store.get(`replay:${key}`);
    if (d) start(d);
  });

  return {
    put(/** @type {string} */ name, /** @type {any} */ data) {
      store.set(name, data);
      waiting.get(name)?.(data);
    },
  };
})();
