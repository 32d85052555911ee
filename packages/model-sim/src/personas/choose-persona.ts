import { anthropic } from './anthropic.js';
import { gemini } from './gemini.js';
import { openai } from './openai.js';
import type { MakePersona, Persona, Walls } from './persona.js';
import { strictGateway, strictGatewayJson } from './strict-gateway.js';

const PERSONAS = {
  openai,
  anthropic,
  gemini,
  'strict-gateway': strictGateway,
  'strict-gateway-json': strictGatewayJson,
} satisfies Record<string, MakePersona>;

export type PersonaName = keyof typeof PERSONAS;

/** A persona for every model; or `by-model`: that of the family which the model's name belongs to, if to any. */
export type PersonaSetting = PersonaName | 'by-model';

export const PERSONA_SETTINGS: readonly PersonaSetting[] = [
  ...(Object.keys(PERSONAS) as PersonaName[]),
  'by-model',
];

const FAMILIES: readonly (readonly [RegExp, PersonaName])[] = [
  [/claude/i, 'anthropic'],
  [/gemini/i, 'gemini'],
  [/^(gpt|chatgpt|o\d)/i, 'openai'],
];

/**
 * Who answers a request for this model. A model called `<persona>/<anything>` plays that persona whatever the setting, so
 * that one simulator can play several. Undefined: the simulator's own rules and nothing more.
 */
export function choosePersona(
  model: unknown,
  setting: PersonaSetting | undefined,
  walls: Partial<Walls> = {},
): Persona | undefined {
  const name = personaName(typeof model === 'string' ? model : '', setting);
  return name === undefined ? undefined : PERSONAS[name](walls);
}

function personaName(model: string, setting: PersonaSetting | undefined): PersonaName | undefined {
  const [prefix = ''] = model.split('/');
  if (model.includes('/') && Object.hasOwn(PERSONAS, prefix)) return prefix as PersonaName;
  if (setting !== 'by-model') return setting;
  return FAMILIES.find(([pattern]) => pattern.test(model))?.[1];
}
