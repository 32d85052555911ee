import type { InterruptId } from '@plinth/protocol';

/** Why a call may run that needs an approval. On the receipt, bound to the arguments that were approved. */
export interface Approval {
  /** `answer`: a person approved this call. `remembered`: an earlier one, and wished not to be asked again. */
  by: 'answer' | 'remembered';
  /** Where the person said so. */
  interruptId: InterruptId;
  /** SHA-256 of the canonical JSON of the arguments that may run. Others may not. */
  argumentsDigest: string;
}

/** A person's wish not to be asked again for a tool in a thread, as long as its definition stays as it is. */
export interface RememberedApproval {
  /** Where it was said. */
  interruptId: InterruptId;
  tool: string;
  /** Digest of the definition that the person knew. Under another one they are asked again. */
  definitionDigest: string;
  createdAt: number;
}
