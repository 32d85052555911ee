/**
 * An assistant message of ours is one for the whole run; in AG-UI, one ends where its tool results come. So each turn is a
 * message there. All ids are made of ours, so that a stream, a later one and a snapshot name the same thing alike.
 */
export const turnMessageId = (messageId: string, turn: number): string => `${messageId}:${turn}`;
export const reasoningId = (messageId: string, turn: number): string => `${messageId}:${turn}:reasoning`;
export const resultMessageId = (callId: string): string => `${callId}:result`;
