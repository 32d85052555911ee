import type {
  RequestDoubt,
  RunId,
  TenantConfig,
  TenantId,
  TurnRequestView,
  Visibility,
} from '@plinth/protocol';
import type { AgentCatalog } from '../agent-catalog.js';
import type { ConfigInForce } from '../config/tenant-config-source.js';
import { calibrationOf } from '../context/calibration.js';
import type { ContextCut } from '../context/context-cut.js';
import { contextPolicy } from '../context/context-policy.js';
import { unitsOf } from '../context/conversation-units.js';
import { describeRequest } from '../context/describe-request.js';
import type { DraftParts } from '../context/draft-request.js';
import { fixedInputs } from '../context/fixed-inputs.js';
import { KnownPictures } from '../context/known-pictures.js';
import { PictureLookUp, type SentPictures } from '../context/sent-pictures.js';
import { offeredTools } from '../tools/offered-tools.js';
import { lastTurnReason } from './budgets.js';
import type { RunState, ToolCall, Turn } from './run.js';
import { turnMessages } from './turn-messages.js';

/**
 * What a turn's request was, made again from the rows by the functions that made it, and held against the digest that its
 * turn keeps. Nothing is stored for it: the rows, the agent's version and the revision of the configuration never change.
 */
export interface RebuildPorts {
  runs: PastRuns;
  agents: Pick<AgentCatalog, 'version'>;
  config: PastConfigs;
  pictures: SentPictures;
}

export interface PastRuns {
  /** The whole run from the rows alone, with the visibility of each message of its history. Null when there is none. */
  load(tenant: TenantId, runId: RunId): Promise<{ state: RunState; visibility: Visibility[] } | null>;
}

export interface PastConfigs {
  /** @throws Error when the revision is not there (a bug: none is ever deleted) */
  at(tenant: TenantId, revision: number): Promise<ConfigInForce>;
}

const DOUBTS: Record<RequestDoubt['code'], string> = {
  nothing_noted: 'An older release made it, and noted nothing of what it left out.',
  model_changed: 'The installation names another model now than it did then.',
  image_unknown: 'Of a picture nothing is kept of what it was sent as.',
  image_lost: 'The bytes of a picture are not in the store any more.',
  platform_changed:
    'Another release, another address of this server or another secret made it, or rows were changed by hand.',
};

/**
 * The request of one turn. Null when there is no such turn: it is there once the model has answered.
 *
 * @param index of the turn, from 0
 */
export async function rebuildRequest(
  ports: RebuildPorts,
  tenant: TenantId,
  runId: RunId,
  index: number,
): Promise<TurnRequestView | null> {
  const loaded = await ports.runs.load(tenant, runId);
  const turn = loaded?.state.turns.find((one) => one.index === index);
  if (!loaded || !turn) return null;
  const { state } = loaded;
  const before = {
    turns: state.turns.filter((one) => one.index < index),
    calls: state.calls.filter((call) => call.turnIndex < index),
  };
  const agent = await ports.agents.version(tenant, state.run.agentVersionId);
  const revision = await ports.config.at(tenant, turn.configRevision);
  const config = revision.forAgent(agent.definition.config);
  const offered = offeredTools(agent, before.calls, index);
  const lastTurn = lastTurnReason(before, index, config.budgets);
  const cut = cutOf([...before.turns, turn]) ?? state.inheritedCut;
  const parts: DraftParts = {
    fixed: fixedInputs(agent, config, index, offered, lastTurn),
    units: unitsOf([...state.history, ...turnMessages(before)]),
    known: new KnownPictures(),
    profile: contextPolicy(config, cut.learned).profile,
  };
  const pictures = new PictureLookUp(ports.pictures, tenant, parts, turn.createdAt);
  const draft = await pictures.completed(cut);
  const digest = await pictures.digestOf(draft);
  const verified = digest === turn.requestDigest;
  const visibility = [...loaded.visibility, ...visibilityOf(before)];
  return {
    runId,
    turn: index,
    digest: turn.requestDigest,
    verified,
    doubts: verified ? [] : doubtsOf(turn, config, pictures),
    ...describeRequest({ parts, draft, offered, visibility, calibration: calibrationOf(before.turns) }),
  };
}

/** What was left out in the last of these turns: noted where it changed. */
const cutOf = (turns: readonly Turn[]): ContextCut | null =>
  turns.findLast(({ context }) => context?.cut)?.context?.cut ?? null;

/** Of each message that `turnMessages` gives. What the platform adds of pictures is no message of the chat. */
function visibilityOf({
  turns,
  calls,
}: {
  turns: readonly Turn[];
  calls: readonly ToolCall[];
}): Visibility[] {
  return turns.flatMap(({ index }) => {
    const ofTurn = calls
      .filter(({ turnIndex }) => turnIndex === index)
      .sort((a, b) => a.position - b.position);
    const hasImages = ofTurn.some(({ images }) => images.length > 0);
    return ['chat', ...ofTurn.map((call) => call.visibility), ...(hasImages ? ['shadow' as const] : [])];
  });
}

function doubtsOf({ context }: Turn, { model }: TenantConfig, pictures: PictureLookUp): RequestDoubt[] {
  const codes: RequestDoubt['code'][] = [
    ...(context === null ? ['nothing_noted' as const] : []),
    ...(context !== null && context.model !== model.name ? ['model_changed' as const] : []),
    ...(pictures.areUnknown ? ['image_unknown' as const] : []),
    ...(pictures.areLost ? ['image_lost' as const] : []),
  ];
  const found = codes.length > 0 ? codes : ['platform_changed' as const];
  return found.map((code) => ({ code, detail: DOUBTS[code] }));
}
