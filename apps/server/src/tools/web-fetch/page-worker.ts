/** Runs in a thread of its own, where `PageReader` can end it. */
export { pageText as default } from './page-text.js';
