import type { PinnedSkill } from '@plinth/protocol';
import { toolDefinition } from '@plinth/protocol';
import { describe, expect, it } from 'vitest';
import type { AgentVersion } from '../agent-catalog.js';
import { systemText } from './system-text.js';

const skill = (key: string): PinnedSkill => ({
  key,
  description: `About ${key}`,
  content: 'C',
  version: 1,
  digest: 'd',
});
const loader = toolDefinition.parse({
  key: 'skills',
  title: 'Load',
  description: 'Loads.',
  parameters: { type: 'object' },
  executor: { kind: 'builtin', name: 'load_skill' },
});
const agent = (skills: PinnedSkill[], tools = [loader]): AgentVersion => ({
  id: 'agv_1' as AgentVersion['id'],
  version: 1,
  definition: { key: 'a', name: 'A', instructions: 'Help – 你好\n', tools: [], skills: [], config: {} },
  tools,
  skills,
});

describe('what stands first in a request', () => {
  it('is the instructions, to the byte, for an agent without skills', () => {
    expect(systemText(agent([]))).toBe('Help – 你好\n');
    expect(systemText(agent([skill('a')], []))).toBe('Help – 你好\n');
  });

  it('names each skill, in the order of the agent, and the tool that loads it, and holds none of their content', () => {
    const text = systemText(agent([skill('wording'), skill('colours')]));
    expect(text).toMatch(
      /^Help – 你好\n\n\n# Skills\n.*`skills`.*\n- wording: About wording\n- colours: About colours$/s,
    );
    expect(systemText(agent([skill('wording'), skill('colours')]))).toBe(text);
  });
});
