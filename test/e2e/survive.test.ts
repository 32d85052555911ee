import { expect, it } from 'vitest';
import {
  approve,
  approveButton,
  ask,
  chooseStyle,
  fillDetails,
  headlineField,
  modelRequestsAbout,
  progressBar,
  seePoster,
  styleChoice,
} from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

/** kill -9, and a new process on the same stores: what a deploy, a crash or an operator does. */
async function killAndRestart({
  server,
}: {
  server: { stop(signal: 'SIGKILL'): Promise<void>; start(): Promise<void> };
}): Promise<void> {
  await server.stop('SIGKILL');
  await server.start();
}

it('a server killed while the form waits and while the job draws is not noticed beyond a pause', async () => {
  const { studio, visitor } = inStudio();
  await studio.setJobDelay(3000);
  studio.sim.clearRequests();
  const page = await (await visitor()).tab();
  await ask(page, 'a poster for our winter market');
  await chooseStyle(page);
  await headlineField(page).waitFor();
  await killAndRestart(studio);
  await fillDetails(page, 'Winter Market');
  await approveButton(page).waitFor();
  await approve(page);
  await progressBar(page).waitFor();
  await studio.server.stop('SIGKILL');
  // The job ends while nobody is there to hear of it, and tries again.
  await studio.server.start();
  await seePoster(page);
  await page.getByText('is ready').first().waitFor();
  expect(modelRequestsAbout(studio.sim.requests, 'winter market')).toHaveLength(4);
});

it('with all Redis keys of the run gone while it waits, it goes on from Postgres, and the rebuild counter says so', async () => {
  const { studio, visitor } = inStudio();
  await studio.setJobDelay(300);
  const page = await (await visitor()).tab();
  const rebuilds = async () => {
    const text = await (await fetch(`${studio.server.url}/metrics`)).text();
    const line = text
      .split('\n')
      .find((one) => one.startsWith('plinth_resume_total') && one.includes('source="rebuild"'));
    return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ') + 1));
  };
  await ask(page, 'a poster for our book fair');
  await styleChoice(page).waitFor({ state: 'attached' });
  const before = await rebuilds();
  await studio.redis.flushall();
  await chooseStyle(page);
  await headlineField(page).waitFor();
  expect(await rebuilds()).toBe(before + 1);
  await fillDetails(page, 'Book Fair');
  await approve(page);
  await seePoster(page);
});
