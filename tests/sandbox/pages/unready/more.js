import './most.js';
window.log.push(`more at ${performance.now()}`);
