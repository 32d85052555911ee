import type { Transport } from '../http/transport.js';

/** Another way to open event streams, made of the way in which the client would open them. */
export type StreamSharing = (transport: Transport) => Transport;
