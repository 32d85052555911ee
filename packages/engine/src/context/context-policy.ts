import type { ContextConfig, TenantConfig } from '@plinth/protocol';
import type { LearnedWalls } from './context-cut.js';
import type { EndpointProfile } from './endpoint-profile.js';
import { endpointProfile } from './endpoint-profiles.js';

/** Bytes of a body from which on it is made smaller, whatever its endpoint takes. */
const MOST_BODY_BYTES = 20_000_000;
const SHARE_OF_WALL = 0.8;

/** How much a request may hold: the configuration of tenant, agent and model, and what the endpoint takes, in one. */
export interface ContextPolicy {
  profile: EndpointProfile;
  /** What the window leaves for input. */
  budgetTokens: number;
  /** From so many tokens on a request is made smaller, to so many. */
  compactAtTokens: number;
  compactToTokens: number;
  /** From so many bytes on, to so many. */
  compactAtBytes: number;
  compactToBytes: number;
  summary: ContextConfig['summary'];
}

const smaller = (wall: number, learned: number | undefined) => Math.min(wall, learned ?? wall);

function learnedProfile(profile: EndpointProfile, learned: LearnedWalls): EndpointProfile {
  const { imagesTotalBytes: total } = profile;
  return {
    ...profile,
    bodyBytes: smaller(profile.bodyBytes, learned.bodyBytes),
    imageBytes: smaller(profile.imageBytes, learned.imageBytes),
    imagesTotalBytes:
      total === null ? (learned.imagesTotalBytes ?? null) : smaller(total, learned.imagesTotalBytes),
    maxImages: smaller(profile.maxImages, learned.maxImages),
    imageSide: smaller(profile.imageSide, learned.imageSide),
    imageDelivery: learned.inlineImages === true ? 'inline' : profile.imageDelivery,
  };
}

type Named<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without what is only there to say that it is not set. */
const named = <T extends object>(settings: T): Named<T> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Named<T>;

/**
 * @param config the tenant's with the agent's own laid over it
 * @param learned walls that the endpoint has shown in this conversation
 */
export function contextPolicy(
  { model, context }: Pick<TenantConfig, 'model' | 'context'>,
  learned: LearnedWalls,
): ContextPolicy {
  const { endpoint = {}, ...ofModel } = context.models[model.name] ?? {};
  const { compactAt, bodyBytes, ...shares } = { ...context, ...named(ofModel) };
  const known = { ...endpointProfile(model.name), ...named(context.endpoint), ...named(endpoint) };
  const profile = learnedProfile(known, learned);
  const ofWindow = Math.max(1, profile.windowTokens - model.maxOutputTokens);
  const budgetTokens = Math.min(ofWindow, profile.inputTokens ?? ofWindow, learned.inputTokens ?? ofWindow);
  // Made smaller to as much as it is made smaller from, every turn would do it again.
  const compactTo = Math.min(shares.compactTo, compactAt * 0.9);
  const compactAtBytes = Math.min(
    bodyBytes ?? Math.min(MOST_BODY_BYTES, Math.floor(SHARE_OF_WALL * profile.bodyBytes)),
    profile.bodyBytes,
  );
  return {
    profile,
    budgetTokens,
    compactAtTokens: Math.max(1, Math.floor(compactAt * budgetTokens)),
    compactToTokens: Math.floor(compactTo * budgetTokens),
    compactAtBytes,
    compactToBytes: Math.floor((compactTo / compactAt) * compactAtBytes),
    // A small window is not to be filled with the summary of what had no room in it.
    summary: {
      ...context.summary,
      maxTokens: Math.min(context.summary.maxTokens, Math.ceil((compactTo * budgetTokens) / 4)),
    },
  };
}
