import type { TenantConfig } from '@plinth/protocol';
import { aComponentTool, aServerTool, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const PAY = aServerTool('pay');
const GATED = aServerTool('gated', { requireConfirmation: 'always' });
const FORM = aComponentTool('form');

function engineWith(permissions: TenantConfig['tools']['permissions'], tool: string) {
  const engine = startEngine({
    tools: [PAY, GATED, FORM],
    model: [{ calls: [{ name: tool, arguments: { n: 1 } }] }, { text: 'Done.' }],
    config: { tools: { permissions } },
  });
  const forbid = (key: string) => {
    const rules = [{ tool: key, effect: 'deny' as const }];
    engine.config = { ...engine.config, tools: { ...engine.config.tools, permissions: rules } };
    // What was read a second ago still counts as the present configuration.
    engine.clock.advance(1_001);
  };
  return { engine, forbid };
}

describe('a call and the rules of now', () => {
  it.each(['pay', 'gated', 'form'])(
    'that are against it: %s is not carried out, and the model goes on',
    async (tool) => {
      const { engine } = engineWith([{ tool, effect: 'deny' }], tool);
      const { runId } = await engine.start('go');
      await engine.work();
      expect(engine.tools.effects).toEqual([]);
      expect(await engine.view(runId)).toMatchObject({
        reason: 'final_answer',
        calls: [{ status: 'failed', error: { code: 'not_permitted' } }],
        interrupts: [],
      });
      expect(engine.model.asked[1]?.messages.at(-1)?.content).toContain('"code":"not_permitted"');
      const [call] = (await engine.record(runId)).calls;
      expect(call?.permission).toEqual({ effect: 'deny', revision: 1, rule: 'tools.permissions.0' });
    },
  );

  it('that want to be asked: a person confirms a tool that asks nobody by itself', async () => {
    const { engine } = engineWith([{ tool: 'p*', effect: 'ask' }], 'pay');
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.effects).toEqual([]);
    expect(await engine.wait(runId)).toMatchObject({
      kind: 'confirmation',
      payload: { arguments: { n: 1 } },
    });
    await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
    await engine.work();
    expect(engine.tools.of('pay')).toHaveLength(1);
    const [call] = (await engine.record(runId)).calls;
    expect(call).toMatchObject({ status: 'succeeded', permission: { effect: 'ask' } });
  });

  it('that changed while a person thought: an approved call that is forbidden by now does not run', async () => {
    const { engine, forbid } = engineWith([], 'gated');
    const { runId } = await engine.start('go');
    await engine.work();
    forbid('gated');
    await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
    await engine.work();
    expect(engine.tools.effects).toEqual([]);
    expect((await engine.view(runId)).calls).toMatchObject([{ error: { code: 'not_permitted' } }]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('that changed while the model wrote: the call is decided by what holds when it is made', async () => {
    const { engine, forbid } = engineWith([], 'pay');
    engine.model.script = [
      { calls: [{ name: 'pay', arguments: {} }], then: async () => forbid('pay') },
      { text: 'Done.' },
    ];
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.effects).toEqual([]);
    expect((await engine.view(runId)).calls).toMatchObject([{ error: { code: 'not_permitted' } }]);
  });
});
