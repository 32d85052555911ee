/** The module of the CDN: defines `<plinth-chat>`. React comes from the page, by an import map or the CDN's own rewriting. */
import { definePlinthChat } from '../src/element/index.js';

export * from '@plinth/client';
export * from '../src/index.js';
export { definePlinthChat };

definePlinthChat();
