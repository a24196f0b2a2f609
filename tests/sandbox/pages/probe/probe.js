// One web API per case: what it reports goes into the state, with the game time at which it came.
const r = [];
const say = (...what) => r.push(`${what.join(' ')}@${Math.round(performance.now())}`);
const id = (name) => document.getElementById(name);
const later = (f, ms = 30) => setTimeout(f, ms);
const tryTo = async (f) => {
  try {
    say(await f());
  } catch (e) {
    say(e.name);
  }
};
const key = () => crypto.subtle.importKey('jwk', {
  kty: 'EC', crv: 'P-256', d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
const hex = (buffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16)).join('');
/** A silent sound of ten seconds, as the address of its data. */
const sound = () => {
  const size = 8000 * 10;
  const bytes = new DataView(new ArrayBuffer(44 + size));
  const word = (at, text) => [...text].forEach((c, i) => bytes.setUint8(at + i, c.charCodeAt(0)));
  word(0, 'RIFF'); bytes.setUint32(4, 36 + size, true); word(8, 'WAVEfmt '); bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true); bytes.setUint16(22, 1, true); bytes.setUint32(24, 8000, true);
  bytes.setUint32(28, 8000, true); bytes.setUint16(32, 1, true); bytes.setUint16(34, 8, true); word(36, 'data');
  bytes.setUint32(40, size, true);
  return `data:audio/wav;base64,${btoa(String.fromCharCode(...new Uint8Array(bytes.buffer, 0, 44)) + String.fromCharCode(128).repeat(size))}`;
};

/** A database with 30 records in each of two stores; `use` gets it. */
const database = (use, name = 'games') => {
  const q = indexedDB.open(name, 1);
  q.onupgradeneeded = () => {
    for (const store of ['a', 'b']) {
      const made = q.result.createObjectStore(store);
      for (let i = 0; i < 30; i++) made.put({ i, text: 'x'.repeat(i * 4000) }, i);
    }
  };
  q.onsuccess = () => { say('open'); use(q.result); };
};
/** `n` readings one after another, each in the handler of the one before. */
const chain = (tx, store, n, what) => {
  const next = (i) => {
    tx.objectStore(store).get(i).onsuccess = () => { say(what, i); if (i + 1 < n) next(i + 1); };
  };
  next(0);
  tx.addEventListener('complete', () => say(what, 'complete'));
};
/** A chain of `n` messages. */
const messages = (n, what) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = (e) => { say(what, e.data); if (e.data < n) port2.postMessage(e.data + 1); };
  port2.postMessage(0);
};
const noise = (n) => Uint8Array.from({ length: n }, (_, i) => (i * 7919) >> 3);
const moving = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><style>@keyframes k { to { width: 90px } }
  rect { animation: k .7s linear infinite }</style><rect height="90" width="5"/></svg>`;
/** An image of this size, as the address of its data. */
const painted = (size) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(noise(4 * size * size)), size), 0, 0);
  return canvas.toDataURL();
};

const CASES = {
  scroll() {
    id('box').addEventListener('scroll', () => say('scroll', id('box').scrollTop));
    setInterval(() => { id('box').scrollTop += 7; }, 50);
  },
  window_scroll() {
    addEventListener('scroll', () => say('scroll', scrollY));
    addEventListener('scrollend', () => say('end', scrollY));
    setInterval(() => scrollBy(0, 11), 70);
  },
  on_scroll() {
    document.onscroll = () => say('scroll', scrollY);
    later(() => scrollTo(0, 300));
  },
  scroll_into_view() {
    addEventListener('scroll', () => say('scroll'));
    later(() => id('form').scrollIntoView());
    later(() => id('tall').scrollIntoView(), 90);
  },
  toggle() {
    id('details').addEventListener('toggle', (e) => say('toggle', e.newState));
    setInterval(() => { id('details').open = !id('details').open; }, 60);
  },
  toggle_markup() {
    document.body.insertAdjacentHTML('beforeend', '<details id=m ontoggle="say(\'markup\')"><summary>x</summary></details>');
    setInterval(() => { id('m').open = !id('m').open; }, 60);
  },
  select() {
    id('input').addEventListener('select', () => say('select'));
    setInterval(() => { id('input').setSelectionRange(0, r.length % 3 + 1); id('input').select(); }, 60);
  },
  selectionchange() {
    document.addEventListener('selectionchange', () => say('selection'));
    setInterval(() => getSelection().selectAllChildren(id('details')), 60);
  },
  dialog_close() {
    id('dialog').addEventListener('close', () => say('close', id('dialog').returnValue));
    setInterval(() => (id('dialog').open ? id('dialog').close(String(r.length)) : id('dialog').showModal()), 40);
  },
  popover() {
    id('pop').addEventListener('toggle', (e) => say('pop', e.newState));
    setInterval(() => id('pop').togglePopover(), 50);
  },
  broadcast() {
    const [a, b] = [new BroadcastChannel('x'), new BroadcastChannel('x')];
    b.onmessage = (e) => say('m', e.data);
    setInterval(() => a.postMessage(r.length), 20);
  },
  broadcast_listener() {
    const [a, b] = [new BroadcastChannel('y'), new BroadcastChannel('y')];
    b.addEventListener('message', (e) => { say('b', e.data); if (e.data < 20) b.postMessage(e.data + 1); });
    a.addEventListener('message', (e) => { say('a', e.data); if (e.data < 20) a.postMessage(e.data + 1); });
    later(() => a.postMessage(0));
  },
  fullscreen() {
    document.addEventListener('fullscreenchange', () => say('full', !!document.fullscreenElement));
    document.addEventListener('fullscreenerror', () => say('error'));
    addEventListener('keydown', () => tryTo(() => document.body.requestFullscreen()));
  },
  screen_listeners() {
    for (const type of ['resize', 'visibilitychange', 'fullscreenchange', 'pointerlockchange']) addEventListener(type, () => say(type), true);
    document.onfullscreenchange = () => say('full');
  },
  fullscreen_resize() {
    addEventListener('resize', () => say('resize', innerWidth, innerHeight));
    document.body.onfullscreenchange = () => say('full', !!document.fullscreenElement);
    addEventListener('keydown', () => tryTo(() => (document.fullscreenElement ? document.exitFullscreen() : document.body.requestFullscreen())));
  },
  pointer_lock() {
    document.addEventListener('pointerlockchange', () => say('lock'));
    document.addEventListener('pointerlockerror', () => say('error'));
    addEventListener('keydown', () => tryTo(() => document.body.requestPointerLock()));
  },
  sandboxed_frame() {
    let n = 0;
    addEventListener('message', (e) => { n += 1; if (n < 500) { say('frame', n); e.source.postMessage(n, '*'); } });
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts';
    frame.srcdoc = '<script>onmessage = () => parent.postMessage(1, "*"); onmessage()<\/script>';
    document.body.append(frame);
    later(() => frame.remove(), 900);
  },
  abort_timeout() {
    AbortSignal.timeout(60).addEventListener('abort', (e) => say('abort', e.target.reason.name));
    const any = AbortSignal.any([AbortSignal.timeout(130)]);
    any.onabort = () => say('any');
  },
  post_task() {
    tryTo(() => scheduler.postTask(() => 'delayed', { delay: 50 }));
    tryTo(() => scheduler.postTask(() => 'soon', { priority: 'background' }));
    const control = new TaskController();
    tryTo(() => scheduler.postTask(() => 'never', { delay: 80, signal: control.signal }));
    later(() => control.abort());
  },
  scheduler_yield() {
    later(async () => { for (let i = 0; i < 20; i++) { await scheduler.yield(); say('y', i); } });
  },
  video_autoplay() {
    document.body.insertAdjacentHTML('beforeend', '<video autoplay muted loop></video>');
    const video = document.querySelector('video');
    video.src = sound();
    setInterval(() => say('t', video.currentTime.toFixed(3)), 100);
  },
  audio_detached() {
    const audio = document.createElement('audio');
    audio.autoplay = audio.muted = true;
    audio.src = sound();
    setInterval(() => say('t', audio.currentTime.toFixed(4)), 50);
  },
  performance_mark_class() { setInterval(() => say(new PerformanceMark('x').startTime.toFixed(2)), 50); },
  performance_mark() { setInterval(() => say(performance.mark('x').startTime.toFixed(2)), 50); },
  form_file() {
    const form = new FormData();
    form.append('a', new Blob(['x']));
    form.append('b', new Blob(['x']), 'named.txt');
    form.set('c', new File(['y'], 'mine.txt', { lastModified: 5 }));
    for (const [name, file] of form) say(name, file.name, file.lastModified);
  },
  form_boundary() { tryTo(() => new Response(new FormData(id('form'))).text()); },
  request_boundary() { tryTo(async () => new Request('/x', { method: 'POST', body: new FormData(id('form')) }).headers.get('content-type')); },
  notification() { tryTo(() => new Notification('x').timestamp); },
  opfs() {
    tryTo(async () => {
      const folder = await navigator.storage.getDirectory();
      const file = await folder.getFileHandle('a', { create: true });
      return (await file.getFile()).lastModified;
    });
  },
  media_stream() { tryTo(() => new MediaStream().id); },
  capture_stream() { tryTo(() => document.createElement('canvas').captureStream().getTracks()[0].id); },
  ecdsa() { tryTo(async () => hex(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, await key(), new Uint8Array(4)))); },
  hmac() {
    tryTo(async () => {
      const k = await crypto.subtle.importKey('raw', new Uint8Array(8), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      return hex(await crypto.subtle.sign('HMAC', k, new Uint8Array(4)));
    });
  },
  generate_key() { tryTo(async () => hex(await crypto.subtle.exportKey('raw', await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt'])))); },
  object_url() { say(URL.createObjectURL(new Blob(['x']))); },
  object_url_unread() { tryTo(async () => (await fetch(URL.createObjectURL(new Blob(['x'])))).text()); },
  pressure() { tryTo(async () => { const o = new PressureObserver((x) => say(x[0].state)); await o.observe('cpu'); return 'on'; }); },
  idle_detector() { tryTo(() => typeof IdleDetector === 'undefined' ? 'none' : new IdleDetector().userState); },
  locks() { tryTo(() => navigator.locks.request('a', async () => 'held')); },
  devices() { tryTo(async () => (await navigator.mediaDevices.enumerateDevices()).length); },
  cookie_store() { tryTo(async () => (await cookieStore.getAll()).length); },
  navigation_key() { tryTo(() => navigation.currentEntry.key); },
  storage_buckets() { tryTo(async () => (await navigator.storageBuckets.keys()).length); },
  reporting() { tryTo(() => { new ReportingObserver((x) => say(x.length), { buffered: true }).observe(); return 'on'; }); },
  event_counts() { addEventListener('keydown', () => tryTo(() => performance.eventCounts.get('keydown'))); },
  web_codecs() { tryTo(() => typeof VideoFrame === 'undefined' ? 'none' : new VideoFrame(document.createElement('canvas'), { timestamp: 0 }).timestamp); },
  paint_worklet() { tryTo(async () => { await CSS.paintWorklet.addModule('data:text/javascript,'); return 'on'; }); },
  audio_worklet() { tryTo(async () => { await new AudioContext().audioWorklet.addModule('data:text/javascript,'); return 'on'; }); },
  speech() { tryTo(() => { speechSynthesis.speak(new SpeechSynthesisUtterance('x')); return speechSynthesis.speaking; }); },
  user_activation() { addEventListener('keydown', () => later(() => say(navigator.userActivation.isActive, navigator.userActivation.hasBeenActive))); setInterval(() => say(navigator.userActivation.isActive), 100); },
  cpu_performance() { tryTo(() => navigator.cpuPerformance); },
  date() { setInterval(() => say(Date.now(), new Date().toISOString(), Date().length), 40); },
  intl() { setInterval(() => say(new Intl.DateTimeFormat('en', { timeStyle: 'long', timeZone: 'UTC' }).format()), 40); },
  random() { setInterval(() => say(Math.random(), crypto.randomUUID()), 40); },
  raf() { const f = () => { if (r.length < 200) say('f'); requestAnimationFrame(f); }; f(); },
  message_channel() { const c = new MessageChannel(); c.port1.onmessage = (e) => { say(e.data); if (e.data < 30) c.port2.postMessage(e.data + 1); }; c.port2.postMessage(0); },
  post_message() { addEventListener('message', (e) => say('m', e.data)); setInterval(() => postMessage(r.length, '*'), 30); },
  animation() { const d = document.createElement('div'); document.body.append(d); d.animate([{ opacity: 0 }, { opacity: 1 }], 90).onfinish = () => say('finish'); d.addEventListener('animationend', () => say('end')); },
  css_transition() { const d = id('box'); d.style.transition = 'width 80ms'; d.addEventListener('transitionend', () => say('transition')); setInterval(() => { d.style.width = d.style.width === '90px' ? '60px' : '90px'; }, 150); },
  resize_observer() { new ResizeObserver((e) => say('size', Math.round(e[0].contentRect.width))).observe(id('box')); setInterval(() => { id('box').style.width = `${100 + r.length}px`; }, 60); },
  worker() { const w = new Worker(URL.createObjectURL(new Blob(['setInterval(() => postMessage(Date.now()), 3)']))); w.onmessage = () => say('w'); },
  compression() { tryTo(async () => (await new Response(new Blob(['aaaa'.repeat(99)]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()).byteLength); },
  idb_chain() { database((db) => setInterval(() => chain(db.transaction('a'), 'a', 12, 'get'), 90)); },
  idb_cursor() {
    database((db) => {
      const q = db.transaction('a', 'readwrite').objectStore('a').openCursor();
      q.onsuccess = () => { if (q.result) { say('at', q.result.key); if (q.result.key % 3) q.result.update({ i: 0 }); q.result.continue(); } };
    });
  },
  idb_version_change() {
    database((db) => {
      db.onversionchange = () => { say('change'); db.close(); };
      const q = indexedDB.open('games', 2);
      q.onupgradeneeded = () => say('upgrade');
      q.onsuccess = () => say('second', q.result.version);
    });
  },
  idb_delete() { database((db) => { db.close(); const q = indexedDB.deleteDatabase('games'); q.onsuccess = async () => say('gone', (await indexedDB.databases()).length); }); },
  idb_in_order() {
    database((db) => { for (const what of ['one', 'two', 'three']) chain(db.transaction('a', 'readwrite'), 'a', 5, what); });
  },
  idb_side_by_side() { database((db) => { for (const store of ['a', 'b']) chain(db.transaction(store), store, 12, store); }); },
  idb_two_databases() { for (const name of ['first', 'second']) database((db) => chain(db.transaction('a'), 'a', 9, name), name); },
  idb_blocked() {
    database((db) => {
      const q = indexedDB.open('games', 3);
      q.onblocked = () => say('blocked');
      q.onsuccess = () => say('opened');
      later(() => db.close(), 200);
    });
  },
  idb_and_messages() { database((db) => { chain(db.transaction('a'), 'a', 12, 'get'); messages(12, 'm'); for (let i = 0; i < 9; i++) postMessage(i, '*'); }); addEventListener('message', (e) => say('w', e.data)); },
  idb_and_promises() {
    database((db) => {
      chain(db.transaction('a'), 'a', 12, 'get');
      for (const n of [1, 4e6, 10]) tryTo(async () => hex(await crypto.subtle.digest('SHA-256', noise(n))));
    });
  },
  idb_keeps_alive() { database((db) => { const tx = db.transaction('a'); let n = 0; const again = () => { tx.objectStore('a').get(1).onsuccess = () => { if (n++ < 300) again(); else say('enough'); }; }; again(); }); },
  promises_and_messages() {
    later(() => {
      for (const n of [4e6, 1, 10]) tryTo(async () => hex(await crypto.subtle.digest('SHA-256', noise(n))));
      messages(25, 'm');
    });
  },
  decode_and_bitmap() {
    const [large, small] = [painted(700), painted(5)];
    later(async () => {
      for (const src of [large, small]) { const image = Object.assign(new Image(), { src }); image.onload = () => say('load', image.width); tryTo(async () => { await image.decode(); return image.width; }); }
      for (const size of [600, 3]) tryTo(async () => (await createImageBitmap(new ImageData(size, size))).width);
      messages(15, 'm');
    });
  },
  data_images() { later(() => { for (const size of [500, 4, 300, 2]) Object.assign(new Image(), { src: painted(size), onload: () => say('load', size) }); }); },
  font_load() { later(() => { tryTo(async () => (await document.fonts.load('12px serif')).length); tryTo(async () => (await new FontFace('f', noise(9)).load()).status); tryTo(async () => (await document.fonts.ready).size); messages(9, 'm'); }); },
  cache_api() { tryTo(async () => { const c = await caches.open('x'); await c.put('/k', new Response('v')); return (await c.match('/k')).text(); }); messages(9, 'm'); },
  blob_stream() {
    later(async () => {
      const read = async (n) => { const reader = new Blob([noise(n)]).stream().getReader(); for (;;) { const { done, value } = await reader.read(); if (done) return say('end', n); if (n < 9) say('part', value.length); } };
      read(3e6); read(3); messages(20, 'm');
    });
  },
  blob_iterator() { later(async () => { let n = 0; for await (const part of new Blob([noise(3e6)]).stream()) n += part.length; say('read', n); }); later(() => messages(20, 'm')); },
  blob_pipe() { later(async () => { let n = 0; const out = new WritableStream({ write: (part) => { n += part.length; } }); await new Blob([noise(3e6)]).stream().pipeTo(out); say('piped', n); }); later(() => messages(20, 'm')); },
  compression_reader() {
    later(async () => {
      const c = new CompressionStream('gzip');
      const writer = c.writable.getWriter();
      writer.write(noise(2e6)); writer.close();
      const reader = c.readable.getReader();
      let n = 0;
      for (;;) { const { done, value } = await reader.read(); if (done) break; n += value.length; }
      say('packed', n > 0);
    });
    later(() => messages(20, 'm'));
  },
  blob_unpacked() {
    later(async () => {
      const packed = await new Response(new Blob([noise(2e6)]).stream().pipeThrough(new CompressionStream('gzip'))).blob();
      const reader = packed.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
      let n = 0;
      for (;;) { const { done, value } = await reader.read(); if (done) break; n += value.length; }
      say('unpacked', n);
    });
    later(() => messages(20, 'm'));
  },
  file_reader() { later(() => { const f = new FileReader(); f.onload = () => say('load', f.result.length); f.onprogress = () => {}; f.readAsText(new Blob([noise(2e6)])); messages(20, 'm'); }); },
  file_readers() { later(() => { for (const n of [3e6, 2, 1e6]) { const f = new FileReader(); f.onload = () => say('load', n); f.readAsArrayBuffer(new Blob([noise(n)])); } }); },
  to_blob() { later(() => { for (const size of [600, 2]) { const c = Object.assign(document.createElement('canvas'), { width: size, height: size }); c.getContext('2d'); c.toBlob((b) => say('blob', size)); } messages(20, 'm'); }); },
  worker_port() { const c = new MessageChannel(); const w = new Worker(URL.createObjectURL(new Blob(['onmessage = (e) => e.ports[0].postMessage(1)']))); c.port1.onmessage = () => say('w'); w.postMessage(0, [c.port2]); },
  storage_estimate() { tryTo(async () => Object.keys(await navigator.storage.estimate()).length); },
  wasm() { later(() => { tryTo(async () => (await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))).constructor.name); messages(12, 'm'); }); },
  wasm_stream() {
    later(() => {
      const body = (bytes) => new ReadableStream({ async start(to) { to.enqueue(new Uint8Array(await new Blob([bytes]).arrayBuffer())); to.close(); } });
      const code = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
      tryTo(async () => (await WebAssembly.compileStreaming(new Response(body(code), { headers: { 'content-type': 'application/wasm' } }))).constructor.name);
      tryTo(async () => (await new Response(body(noise(9))).arrayBuffer()).byteLength);
    });
  },
  fonts_events() { later(() => { for (const type of ['loading', 'loadingdone', 'loadingerror']) document.fonts.addEventListener(type, () => say(type)); const f = new FontFace('f', noise(9)); document.fonts.add(f); f.load().catch(() => say('failed')); messages(9, 'm'); }); },
  image_and_database() { database((db) => { chain(db.transaction('a'), 'a', 9, 'get'); Object.assign(new Image(), { src: painted(300), onload: () => say('load') }); }); },
  module_import() { later(() => { tryTo(async () => Object.keys(await import('data:text/javascript,export const a = 1')).length); messages(12, 'm'); }); },
  indexed_db() { const q = indexedDB.open('x', 1); q.onupgradeneeded = () => say('up'); q.onsuccess = () => say('ok'); },
  hash_change() { addEventListener('hashchange', () => say(location.hash)); setInterval(() => { location.hash = `#${r.length}`; }, 60); },
  history() { addEventListener('popstate', (e) => say('pop', JSON.stringify(e.state))); history.pushState(1, ''); history.pushState(2, ''); later(() => history.back()); },
  object_load() {
    const made = Object.assign(document.createElement('object'), { data: 'data:text/html,hi', onload: () => say('load') });
    later(() => document.body.append(made));
  },
  css_random() { id('box').style.width = 'random(1px, 900px)'; say(getComputedStyle(id('box')).width); },
  gl_query() {
    const g = document.createElement('canvas').getContext('webgl2');
    const q = g.createQuery();
    g.beginQuery(g.ANY_SAMPLES_PASSED, q);
    g.endQuery(g.ANY_SAMPLES_PASSED);
    const poll = setInterval(() => { if (g.getQueryParameter(q, g.QUERY_RESULT_AVAILABLE)) { say('available'); clearInterval(poll); } }, 5);
  },
  cookie_expiry() {
    document.cookie = 'a=1;max-age=0.3';
    document.cookie = `b=1;expires=${new Date(Date.now() + 400).toUTCString()}`;
    document.cookie = `c=1;expires=${new Date(Date.now() + 1e9).toUTCString()}`;
    document.cookie = 'd=1;max-age=0.2';
    later(() => { document.cookie = 'd=2'; }, 100);
    document.cookie = 'e=1;path=/;Max-Age=0';
    setInterval(() => say(document.cookie), 100);
  },
  storage_event() {
    const f = document.body.appendChild(document.createElement('iframe'));
    f.contentWindow.addEventListener('storage', (e) => say(e.key, e.newValue));
    for (let i = 0; i < 3; i++) later(() => localStorage.setItem('k', i), 40 * i);
  },
  scroll_timeline() {
    const made = id('box').animate({ width: ['0px', '90px'] }, { timeline: new ScrollTimeline({ source: document.documentElement }) });
    setInterval(() => { scrollBy(0, 90); say(made.currentTime && made.currentTime.value); }, 40);
  },
  transfer_control() {
    const canvas = document.body.appendChild(document.createElement('canvas'));
    const drawing = canvas.transferControlToOffscreen().getContext('2d');
    const copy = document.createElement('canvas').getContext('2d');
    setInterval(() => {
      drawing.fillRect(r.length, 0, 1, 1);
      copy.drawImage(canvas, 0, 0);
      say(copy.getImageData(0, 0, 100, 1).data.filter((v) => v).length);
    }, 40);
  },
  webkit_peer() { tryTo(async () => (await new webkitRTCPeerConnection().createOffer()).sdp.slice(0, 40)); },
  audio_encoder() { new AudioEncoder({ output() {}, error() {} }).configure({ codec: 'opus', sampleRate: 48000, numberOfChannels: 1 }); },
  ecdsa_two_names() {
    let reads = 0;
    const shifty = { get name() { reads += 1; return reads > 1 ? 'ECDSA' : 'HMAC'; }, hash: 'SHA-256' };
    tryTo(async () => hex(await crypto.subtle.sign(shifty, await key(), new Uint8Array(3))).slice(0, 20));
  },
  scroll_snap() {
    id('box').style.scrollSnapType = 'y mandatory';
    id('box').innerHTML = '<div style="height:90px;scroll-snap-align:start"></div>'.repeat(9);
    id('box').addEventListener('scrollsnapchange', (e) => say('snap', [...id('box').children].indexOf(e.snapTargetBlock)));
    setInterval(() => id('box').scrollBy(0, 50), 70);
  },
  sound_ends() {
    const c = new AudioContext();
    addEventListener('keydown', () => {
      const o = c.createOscillator();
      o.addEventListener('ended', () => say('oscillator', c.state));
      o.start();
      o.stop(c.currentTime + 0.1);
      const s = new AudioBufferSourceNode(c, { buffer: c.createBuffer(1, 4410, 44100), playbackRate: 0.5 });
      s.onended = () => say('buffer', c.currentTime.toFixed(3));
      s.start();
    });
    later(() => c.suspend().then(() => say(c.state)), 250);
    later(() => c.resume(), 600);
  },
  sound_processing() {
    const c = new AudioContext({ sampleRate: 48000 });
    const s = c.createScriptProcessor(512, 0, 2);
    s.onaudioprocess = (e) => say('process', e.outputBuffer.length, e.playbackTime.toFixed(3));
    later(() => s.connect(c.destination), 40);
  },
  sound_analyser() {
    const c = new AudioContext();
    const a = c.createAnalyser();
    c.createOscillator().connect(a).context === c && say('connected', c.sampleRate);
    setInterval(() => { const d = new Float32Array(32); a.getFloatTimeDomainData(d); const b = new Uint8Array(32); a.getByteFrequencyData(b); say(d[3], b[3]); }, 50);
  },
  sound_offline() {
    addEventListener('keydown', async () => {
      const c = new OfflineAudioContext(1, 44100, 44100);
      const o = c.createOscillator();
      o.connect(c.destination);
      o.start();
      say((await c.startRendering()).getChannelData(0)[100].toFixed(4));
    });
  },
  audio_element() {
    const a = new Audio(sound());
    for (const t of ['loadedmetadata', 'canplaythrough', 'play', 'playing', 'pause', 'seeked']) a.addEventListener(t, () => say(t, a.readyState));
    a.play().then(() => say('plays', a.duration));
    later(() => { a.currentTime = 9.7; }, 120);
    a.onended = () => { say('ended', a.currentTime, a.paused); a.currentTime = 0; a.play(); };
  },
  audio_in_markup() {
    document.body.insertAdjacentHTML('beforeend', `<audio id=a loop src="${sound()}"></audio><audio id=b src="none.mp3"></audio>`);
    id('a').addEventListener('loadeddata', () => say('loaded'));
    id('b').addEventListener('error', () => say('error', id('b').error.code));
    later(() => id('a').play(), 100);
    setInterval(() => say(id('a').currentTime.toFixed(3)), 90);
  },
  video_loads() { const v = document.createElement('video'); v.src = sound(); document.body.append(v); v.onloadedmetadata = () => say('loaded'); },
  shadow_animation() {
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' });
    root.innerHTML = '<style>@keyframes grow{to{width:90px}}p{width:0;animation:grow .2s forwards}b{display:block;width:0;transition:width .1s}b.on{width:50px}</style><p></p><b></b>';
    const [p, b] = root.querySelectorAll('p, b');
    p.addEventListener('animationend', () => say('animationend'));
    b.addEventListener('transitionend', () => say('transitionend'));
    later(() => { b.className = 'on'; }, 70);
    setInterval(() => say(p.offsetWidth, b.offsetWidth), 60);
  },
  shadow_clone() {
    const host = document.createElement('div');
    host.attachShadow({ mode: 'open', clonable: true }).innerHTML =
      '<style>@keyframes k{to{width:90px}}i{display:block;width:0;animation:k .3s linear infinite}</style><i></i>';
    addEventListener('keydown', () => {
      const copy = document.body.appendChild(host.cloneNode(true));
      later(() => say('width', copy.shadowRoot.querySelector('i').offsetWidth), 150);
    });
  },
  frame_chain() {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.srcdoc = '<script>onmessage = (e) => parent.postMessage(e.data, "*")</' + 'script>';
    let n = 0;
    addEventListener('message', () => { n += 1; if (n < 200) frame.contentWindow.postMessage(n, '*'); });
    addEventListener('keydown', () => { n = 0; frame.contentWindow.postMessage(0, '*'); later(() => say('chain', n), 20); });
  },
  select_search() {
    document.body.innerHTML = '<select><option>b<option>a<option>ab</select>';
    document.querySelector('select').focus();
    addEventListener('keydown', () => later(() => say('selected', document.querySelector('select').value)));
  },
  svg_in_data() {
    addEventListener('keydown', () => { document.body.appendChild(new Image()).src = `data:image/svg+xml,${encodeURIComponent(moving)}`; });
  },
  svg_in_object_url() {
    addEventListener('keydown', () => {
      document.body.appendChild(new Image()).src = URL.createObjectURL(new Blob([moving], { type: 'image/svg+xml' }));
    });
  },
  shadow_image() {
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    addEventListener('keydown', () => {
      root.innerHTML = `<img src="${painted(200 + r.length)}" onload="say('image')">`;
      root.firstChild.addEventListener('load', () => say('load', root.firstChild?.naturalWidth));
    });
  },
  detached_image() {
    addEventListener('keydown', () => {
      const box = document.createElement('div');
      box.innerHTML = `<img src="${painted(300 + r.length)}">`;
      box.firstChild.onload = () => say('load', box.firstChild.naturalWidth);
    });
  },
  frame_loads() {
    addEventListener('keydown', () => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<p>x</p>';
      frame.onload = () => say('frame', frame.contentDocument.body.textContent);
      document.body.append(frame);
    });
  },
  progress() { id('form').append(document.createElement('progress')); },
  gl_fence() {
    const gl = document.createElement('canvas').getContext('webgl2');
    let fence = null;
    setInterval(() => {
      if (!fence) fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      else if (gl.clientWaitSync(fence, 0, 0) === gl.CONDITION_SATISFIED) {
        say('fence', gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED);
        fence = null;
      }
    }, 10);
  },
  gl_extension() {
    const gl = document.createElement('canvas').getContext('webgl2');
    say(gl.getExtension('EXT_color_buffer_float') !== null, String(gl.getExtension('EXT_disjoint_timer_query_webgl2')));
  },
  unlisted_event() {
    const video = document.createElement('video');
    video.textTracks.addEventListener('addtrack', () => say('track'));
    later(() => video.append(document.createElement('track')));
  },
  unlisted_handler() {
    const video = document.createElement('video');
    video.textTracks.onaddtrack = () => say('track');
    later(() => video.append(document.createElement('track')));
  },
  animation_cancel() {
    const animation = id('box').animate([{ width: '0' }, { width: '9px' }], 500);
    animation.addEventListener('cancel', () => say('cancel'));
    later(() => animation.cancel());
  },
  older_event_name() {
    id('box').style.transition = 'width 0.1s';
    id('box').addEventListener('webkitTransitionEnd', (e) => say(e.type));
    later(() => { id('box').style.width = '9px'; });
  },
  own_event() {
    addEventListener('contextlost', () => say('own'));
    later(() => dispatchEvent(new Event('contextlost')));
  },
  interest() {
    id('form').innerHTML = '<button interestfor=pop>x</button>';
    id('pop').addEventListener('interest', () => say('interest'));
    later(() => id('form').firstChild.focus());
  },
  unlisted_element() { id('form').innerHTML = '<geolocation></geolocation>'; },
  shadow_progress() { id('form').appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }).innerHTML = '<progress></progress>'; },
  marquee() { id('form').innerHTML = '<marquee>x</marquee>'; },
  window_open() { say(window.open('about:blank')); },
  orientation_lock() { tryTo(() => screen.orientation.lock('landscape')); },
  show_picker() { addEventListener('keydown', () => { const i = document.createElement('input'); i.type = 'date'; document.body.append(i); tryTo(() => i.showPicker()); }); },
  object_url_end() { say(URL.createObjectURL(new Blob(['x'])).slice(-9)); },
  weak_reference() {
    const refs = Array.from({ length: 600 }, () => new WeakRef({ a: new Array(1000).fill(0) }));
    new FinalizationRegistry(() => say('collected')).register({}, 1);
    setInterval(() => { new Array(200000).fill({}); say(refs.filter((ref) => ref.deref()).length); }, 50);
  },
  source_capabilities() { addEventListener('mousedown', (e) => say(e.sourceCapabilities.firesTouchEvents)); addEventListener('devicemotion', () => say('motion')); },
  resize_padding() {
    const box = Object.assign(id('box'), { style: 'box-sizing:border-box;width:50px;padding:0' });
    new ResizeObserver((entries) => say('resized', entries.map((e) => e.contentRect.width))).observe(box);
    for (const [ms, px] of [[60, 10], [120, 5]]) later(() => { box.style.padding = `${px}px`; }, ms);
  },
  intersection_root() {
    new IntersectionObserver((entries) => say('seen', entries.map((e) => e.intersectionRatio.toFixed(2))), { root: id('box'), threshold: [0.1, 0.5, 0.9, 1] })
      .observe(Object.assign(id('box').firstChild, { style: 'height:100px' }));
    for (const [ms, px] of [[60, 60], [150, 50]]) later(() => { id('box').style.height = `${px}px`; }, ms);
  },
  page_events() { addEventListener('securitypolicyviolation', () => say('csp')); document.head.innerHTML += '<meta http-equiv="Content-Security-Policy" content="img-src none">'; later(() => { new Image().src = 'x.png'; }); },
  lazy_image() { document.body.style.height = '9000px'; later(() => { const i = Object.assign(new Image(), { loading: 'lazy', onload: () => say('load', i.width) }); document.body.append(i); i.src = painted(200); }); },
  blob_parts() { later(async () => { const sizes = []; for await (const part of new Blob([noise(3e6)]).stream()) sizes.push(part.length); say(sizes.length, sizes[0], sizes.at(-1)); }); },
  reader_progress() { later(() => { let n = 0; const f = new FileReader(); f.onprogress = () => { n += 1; }; f.onload = () => say('progress', n); f.readAsArrayBuffer(new Blob([noise(3e7)])); }); },
  console_time() { later(() => { console.time('a'); console.timeEnd('a'); say('timed'); }); },
  image_button() { later(() => { const i = Object.assign(document.createElement('input'), { type: 'image', onload: () => say('load') }); i.src = painted(200); document.body.append(i); }); },
  inline_module() { later(() => { window.say = say; document.body.append(Object.assign(document.createElement('script'), { type: 'module', textContent: 'import "./late.js"; say("ran")' })); }); },
  sent_port() { later(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = (e) => say(e.data); const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.onmessage = (e) => e.ports[0].postMessage('from the frame'); f.contentWindow.postMessage('x', '*', [port2]); }); },
  offline_time() { later(() => { const c = new OfflineAudioContext(1, 441000, 44100); c.onstatechange = () => say(c.currentTime); c.startRendering(); }); },
  observer_delay() { new IntersectionObserver(() => say('seen'), { trackVisibility: true, delay: 100 }).observe(document.body); },
  meta_refresh() { document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '60' })); },
  feature_detection() {
    say([typeof PressureObserver, 'locks' in navigator, !!navigator.serviceWorker, !!navigator.gpu, !!window.speechSynthesis,
      typeof MediaStream, !!navigator.mediaDevices, navigator.onLine, 'wakeLock' in navigator].length);
  },
};

const name = new URLSearchParams(location.search).get('case');
window.gameAPI = {
  async init() {},
  async reset() {},
  getState: () => ({ gameTimeMs: performance.now(), status: 'playing', terminal: { isTerminal: false }, game_state: { score: 0, r } }),
};
CASES[name]();
