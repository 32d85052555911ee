import { createHash } from 'node:crypto';
import {
  addUsage,
  type ContextReason,
  type EndReason,
  NO_USAGE,
  type TenantConfig,
  type Usage,
} from '@plinth/protocol';
import { calibrationOf } from '../context/calibration.js';
import { type ContextCut, sameCut } from '../context/context-cut.js';
import { type ContextPolicy, contextPolicy } from '../context/context-policy.js';
import { currentRunFrom, picturesOf, type Unit, unitsOf } from '../context/conversation-units.js';
import { cutKinds } from '../context/cut-kinds.js';
import { draftRequest } from '../context/draft-request.js';
import { fillRequest } from '../context/fill-request.js';
import { type FixedInputs, fixedInputs } from '../context/fixed-inputs.js';
import { KnownPictures } from '../context/known-pictures.js';
import { learnWalls } from '../context/learn-walls.js';
import { type FittingPlan, type PlanInput, planContext, type Unfit } from '../context/plan-context.js';
import { sharedPrefixBytes } from '../context/shared-prefix.js';
import { summarise } from '../context/summarise.js';
import type { ImagePipeline } from '../images/image-pipeline.js';
import type { ImageRef, ImageStep } from '../images/image-ref.js';
import type { ContextOverflow } from '../models/context-overflow.js';
import type { ModelGateway, ModelRequest } from '../models/model-gateway.js';
import { offeredTools } from '../tools/offered-tools.js';
import { contextNotices } from './context-notices.js';
import { joinDecisions } from './ledger-change.js';
import { recordSpent } from './record-turn.js';
import type { StoredTurnContext } from './run.js';
import type { RunSession } from './run-session.js';
import { turnMessages } from './turn-messages.js';

export interface PreparationPorts {
  gateway: ModelGateway;
  images: ImagePipeline;
}

/** A request that may be sent, with what is to be noted of it. */
export interface PreparedRequest {
  request: ModelRequest;
  plan: FittingPlan;
  context: StoredTurnContext;
}

/**
 * Makes the next request of a run: plans it, gets what the plan needs, and commits what is left out from now on before anybody
 * is asked. A worker that dies between that commit and the answer leaves a run whose next worker has nothing to pay twice.
 */
export class RequestPreparation {
  /** Milliseconds in which the model was asked for summaries. */
  summaryMs = 0;
  private readonly known = new KnownPictures();
  private readonly fixed: FixedInputs;
  private readonly messages: readonly string[];
  private readonly calibration: number;
  private cut: ContextCut;
  private policy: ContextPolicy;
  private summariesFailed = 0;
  private unpaid = NO_USAGE;

  constructor(
    private readonly session: RunSession,
    private readonly ports: PreparationPorts,
    private readonly config: TenantConfig,
    lastTurn: EndReason | null,
    private readonly price: (usage: Usage) => Usage,
  ) {
    const { state, agent } = session;
    const turn = state.turns.length;
    const offered = offeredTools(agent, state.calls, turn);
    this.fixed = fixedInputs(agent, config, turn, offered, lastTurn);
    this.messages = [...state.history, ...turnMessages(state)];
    this.calibration = calibrationOf(state.turns);
    this.cut = state.run.contextCut ?? state.inheritedCut;
    this.policy = contextPolicy(config, this.cut.learned);
  }

  /** Names the profile that requests are planned for. */
  get endpoint(): string {
    return this.policy.profile.name;
  }

  /** Tokens of summaries that no commit has recorded yet. */
  get spent(): Usage {
    return this.unpaid;
  }

  /** @throws the signal's reason; Error when a picture could not be read */
  async prepare(signal: AbortSignal): Promise<PreparedRequest | Unfit> {
    for (;;) {
      const plan = planContext(this.input());
      switch (plan.kind) {
        case 'needs_variants':
          await this.learnSizes(plan.wanted, signal);
          break;
        case 'needs_summary':
          this.cut = {
            ...plan.cut,
            summary: (await this.summary(plan.material, signal)) ?? plan.cut.summary,
          };
          break;
        case 'unfit':
          return plan.problem;
        case 'fits':
          return this.made(plan);
      }
    }
  }

  /** What the endpoint has refused teaches what to plan with from now on. */
  learn(overflow: ContextOverflow): void {
    const sent = planContext({ ...this.input(), inFull: true });
    if (sent.kind !== 'fits') throw new Error('a request that was sent cannot be planned any more');
    const units = unitsOf(this.messages);
    this.cut = learnWalls(overflow, sent, new Set(this.newPictures(units)));
    this.policy = contextPolicy(this.config, this.cut.learned);
    // Sizes were made for the walls as they were.
    this.known.clear();
  }

  /** The endpoint could not fetch its pictures: in this conversation they stand in the body from now on. */
  sendImagesInline(): void {
    this.cut = { ...this.cut, learned: { ...this.cut.learned, inlineImages: true } };
    this.policy = contextPolicy(this.config, this.cut.learned);
    this.known.clear();
  }

  private input(): PlanInput {
    const { fixed, messages, cut, policy, known, calibration } = this;
    return { fixed, messages, cut, policy, known, calibration };
  }

  private async learnSizes(
    wanted: readonly { image: ImageRef; step: ImageStep }[],
    signal: AbortSignal,
  ): Promise<void> {
    const { imageSide: side, imageBytes: bytes, imageFormats: formats, imageDelivery } = this.policy.profile;
    const { images } = this.ports;
    const { tenant } = this.session;
    await Promise.all(
      wanted.map(async ({ image, step }) => {
        const variant = await images.variant(tenant, image, step, { side, bytes, formats }, signal);
        const url =
          'unreadable' in variant || imageDelivery === 'inline' ? null : images.url(tenant, variant);
        this.known.add(image.sha256, step, 'unreadable' in variant ? variant : { variant, url });
      }),
    );
  }

  private async summary(material: string, signal: AbortSignal): Promise<string | null> {
    const { clock } = this.session.ports;
    const began = clock.now();
    const { model } = this.config;
    const about = { model, policy: this.policy };
    const { text, usage } = await summarise(this.ports.gateway, this.session.tenant, material, about, signal);
    this.summaryMs += clock.now() - began;
    this.unpaid = addUsage(this.unpaid, this.price(usage));
    if (text === null) this.summariesFailed += 1;
    return text;
  }

  private async made(plan: FittingPlan): Promise<PreparedRequest> {
    const { session, ports } = this;
    await this.commit(plan);
    const body = await fillRequest(this.fixed, plan, (variant) =>
      ports.images.bytes(session.tenant, variant),
    );
    const digest = createHash('sha256').update(body).digest('hex');
    const request = { body, digest, timeoutMs: this.config.model.timeoutMs };
    return { request, plan, context: this.context(plan) };
  }

  private async commit({ cut, draft }: FittingPlan): Promise<void> {
    const { session } = this;
    const { run, inheritedCut } = session.state;
    const before = run.contextCut ?? inheritedCut;
    const events = contextNotices(before, cut, this.newlyUnreadable(draft.shown));
    const isOther = !sameCut(before, cut);
    this.cut = cut;
    if (!isOther && events.length === 0) return;
    const changes = isOther ? [{ type: 'run.update' as const, set: { contextCut: cut } }] : [];
    const spent = recordSpent(session, this.unpaid);
    this.unpaid = NO_USAGE;
    await session.commit(joinDecisions([{ changes, events }, spent]));
    for (const kind of cutKinds(before, cut))
      session.ports.observer.contextCut(session.tenant, { endpoint: this.endpoint, kind });
  }

  /** The cut of the request before this one; of the first, that of the runs before. */
  private get cutBefore(): ContextCut {
    const { turns, inheritedCut } = this.session.state;
    return turns.findLast(({ context }) => context?.cut)?.context?.cut ?? inheritedCut;
  }

  private context(plan: FittingPlan): StoredTurnContext {
    const { budgetTokens, compactAtBytes, profile } = this.policy;
    const { bytes, tokens, tokensExact, accounts, cut } = plan;
    return {
      model: this.config.model.name,
      tokens,
      tokensExact,
      bytes,
      budgetTokens,
      budgetBytes: compactAtBytes,
      wallBytes: profile.bodyBytes,
      accounts,
      reasons: [...plan.reasons, ...this.failedSummary()],
      prefixBytes: this.prefixBytes(plan),
      cut: sameCut(this.cutBefore, cut) ? null : cut,
    };
  }

  private failedSummary(): ContextReason[] {
    if (this.summariesFailed === 0) return [];
    const count = this.summariesFailed;
    const detail = 'The model gave no summary.';
    return [{ code: 'summary_failed', wall: 'tokens', count, tokens: 0, bytes: 0, detail }];
  }

  /** In whole messages: what a provider can have cached of the request before this one. */
  private prefixBytes({ draft }: FittingPlan): number | null {
    const before = this.session.state.turns.at(-1);
    if (before === undefined) return null;
    if (before.context !== null && before.context.model !== this.config.model.name) return 0;
    const { fixed, known, policy } = this;
    const units = unitsOf(this.messages);
    // All but the answer to it, with the results of that answer's calls.
    const parts = { fixed, known, profile: policy.profile, units: units.slice(0, -1) };
    const { messages } = draftRequest(parts, this.cutBefore);
    const isOther = this.cutBefore.learned.inlineImages !== this.cut.learned.inlineImages;
    // Its pictures were addresses: what stands before the first of them is the same.
    const firstOther = isOther ? messages.findIndex(({ pictures }) => pictures.length > 0) : -1;
    return sharedPrefixBytes(fixed, firstOther < 0 ? messages : messages.slice(0, firstOther), draft);
  }

  /** Pictures that no request before this one had. */
  private newPictures(units: readonly Unit[]): string[] {
    const isFirst = this.session.state.turns.length === 0;
    const from = isFirst ? currentRunFrom(units) : units.length - 1;
    return units.slice(from).flatMap((unit) => picturesOf(unit).map(({ sha256 }) => sha256));
  }

  private newlyUnreadable(shown: FittingPlan['draft']['shown']): ImageRef[] {
    const unreadable = shown.flatMap((one) => (one.as === 'unreadable' ? [one.image] : []));
    if (unreadable.length === 0) return [];
    const fresh = new Set(this.newPictures(unitsOf(this.messages)));
    return unreadable.filter(({ sha256 }) => fresh.has(sha256));
  }
}
