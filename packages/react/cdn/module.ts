/** The module of the CDN: defines `<plinth-chat>`. React comes from the page, by an import map or the CDN's own rewriting. */
import { defineElement } from './define-element.js';

export * from '@plinth/client';
export * from '../src/index.js';

export function definePlinthChat(name?: string): void {
  defineElement(import.meta.url, name);
}

definePlinthChat();
