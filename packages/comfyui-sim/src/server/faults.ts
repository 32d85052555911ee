/** What goes wrong, for as long as it is set. */
export interface Faults {
  /** Milliseconds of one step of a sampler. */
  stepMs: number;
  /** `POST /prompt` is answered with this, and nothing is queued. */
  refusePrompts: { status: number; body?: unknown } | null;
  /** `POST /prompt` queues, and its answer is given, lost with the connection, or never comes. */
  promptAnswers: 'given' | 'cut' | 'held';
  /** WebSockets are refused. */
  refuseSockets: boolean;
  /** This node fails with this message. */
  failNode: { node: string; message: string } | null;
  /** Ended prompts leave no history. */
  keepsNoHistory: boolean;
  /** As hosts of before 2025: the id in `POST /prompt` is not looked at, and an interrupt hits whatever runs. */
  ignoresPromptIds: boolean;
}

export const NO_FAULTS: Faults = {
  stepMs: 0,
  refusePrompts: null,
  promptAnswers: 'given',
  refuseSockets: false,
  failNode: null,
  keepsNoHistory: false,
  ignoresPromptIds: false,
};
