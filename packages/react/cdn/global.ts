/** The script of the CDN, with React in it: defines `<plinth-chat>` and the global `Plinth`. */
import './plinth.css';
import * as React from 'react';
import { definePlinthChat } from '../src/element/index.js';

export * from '@plinth/client';
export * from '../src/index.js';
/** React as the element uses it, for the host's own components. */
export { definePlinthChat, React };

definePlinthChat();
