import type {
  ContextAccount,
  ContextReason,
  RequestDoubt,
  RunStatus,
  SentImage,
  SentMessage,
} from '@plinth/protocol';

export type TabName = 'context' | 'model' | 'events' | 'state';

/** Every text of the inspector. Numbers come in as they are shown. */
export type InspectorStrings = {
  inspector: string;
  close: string;
  run: string;
  newestRun: string;
  runLabel: (position: number, text: string, status: RunStatus) => string;
  noRun: string;
  tabs: Record<TabName, string>;
  loading: string;
  retry: string;
  forbidden: string;
  forbiddenHint: string;
  contextFailed: string;
  contextEmpty: string;
  model: (name: string) => string;
  accounts: Record<ContextAccount, string>;
  legend: string;
  scale: string;
  scales: Record<'limit' | 'largest', string>;
  marks: Record<'budget' | 'wall', string>;
  turn: (number: number) => string;
  tokens: string;
  bytes: string;
  usedOf: (used: string, budget: string, share: string) => string;
  bodyWall: (bytes: string) => string;
  counted: Record<'exact' | 'estimated', string>;
  provider: string;
  providerPending: string;
  providerDifference: (share: string) => string;
  cached: string;
  prefix: string;
  firstRequest: string;
  ofWhole: (amount: string, share: string) => string;
  numbers: string;
  account: string;
  sum: string;
  reasonsTitle: string;
  nothingLeftOut: string;
  reasons: Record<ContextReason['code'], (count: number) => string>;
  askedBy: (wall: string) => string;
  walls: Record<ContextReason['wall'], string>;
  saved: (tokens: string, bytes: string) => string;
  turnChoice: string;
  newestTurn: string;
  amounts: (bytes: string, tokens: string) => string;
  aboutTokens: string;
  verified: string;
  unverified: string;
  doubts: Record<RequestDoubt['code'], string>;
  settings: string;
  toolsTitle: (count: number) => string;
  messagesTitle: (count: number) => string;
  whats: Record<SentMessage['what'], string>;
  shadow: string;
  shadowHint: string;
  reduced: Record<NonNullable<SentMessage['reduced']>, string>;
  calls: (tool: string) => string;
  resultOf: (tool: string) => string;
  pixels: (width: string, height: string) => string;
  step: (step: number) => string;
  delivery: Record<SentImage['delivery'], string>;
  unknownImage: string;
  showAll: string;
  eventsFailed: string;
  eventsEmpty: string;
  filter: string;
  filterHint: string;
  noMatch: string;
  eventCount: (shown: number, all: number) => string;
  olderEvents: (count: number) => string;
  copyEvents: string;
  stateLabel: string;
};
