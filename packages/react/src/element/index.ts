'use client';
import { createElementClass } from './plinth-chat-element.js';

export type { ElementComponents } from './chat-root.js';
export type { PlinthChatElement, PlinthErrorEvent, PlinthThreadEvent } from './plinth-chat-element.js';

/** Defines `<plinth-chat>`. Does nothing on a server, and when it is defined already. */
export function definePlinthChat(name = 'plinth-chat'): void {
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return;
  customElements.define(
    name,
    createElementClass(() => import('./element-workspace.js')),
  );
}
