import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { spawnTied } from '../../server/dev/devnet/start-anvil.ts';
import { newPaymaster, startManagement } from '../support/core/start-management.ts';
import { type ReceivedRequest, startWebhookServer } from '../support/servers/webhook-server.ts';
import { addressText } from '../support/store/address-text.ts';
import { actionsOf, headerOf, verifiedBody } from './notification-lab.ts';

const program = join(import.meta.dirname, 'notifying-process.ts');

async function start() {
  const started = await startManagement();
  const { owned } = await newPaymaster(started.management);
  const actions = actionsOf(started, owned);
  const arrivals = new EventEmitter();
  const server = await startWebhookServer((response, received) => arrivals.emit('request', response, received));
  const notificationId = await actions.register(server.url);
  const next = async () => (await once(arrivals, 'request')) as [ServerResponse, ReceivedRequest];

  function run(...tasks: readonly ('send' | 'queue')[]) {
    const args = [
      '--conditions=@tollfree/source',
      '--import',
      'tsx',
      program,
      addressText(started.config.database),
      owned.paymasterId,
      ...tasks,
    ];
    const child = spawnTied(process.execPath, args);
    child.stderr.pipe(process.stderr);
    onTestFinished(() => void child.kill('SIGKILL'));
    return { kill: () => kill(child), says: saidBy(child) };
  }
  return { ...actions, received: server.received, notificationId, next, run };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** Waits for lines of the child, in any order, also those it has said before. */
function saidBy(child: ChildProcess) {
  if (child.stdout === null) throw new Error('stdout is not a pipe');
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  return async (text: string) => {
    while (!lines.includes(text)) await once(reader, 'line');
  };
}

test('killed between storing and sending, the message is sent after the start', async () => {
  const lab = await start();
  const first = lab.run('queue');
  await first.says('queued');
  await first.kill();
  expect(lab.received).toEqual([]);
  const arrival = lab.next();
  const second = lab.run('send');
  const [response, received] = await arrival;
  response.writeHead(200).end();
  await second.says('notification delivered');
  expect(verifiedBody(await lab.secretOf(lab.notificationId), received)).toMatchObject({ type: 'operation.settled' });
  expect(await lab.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
});

test('killed while it sends, the message is sent again under the same id', async () => {
  const lab = await start();
  const begun = lab.next();
  const first = lab.run('send', 'queue');
  const [, attempted] = await begun;
  await first.says('queued');
  await first.kill();
  expect(await lab.deliveries()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  const arrival = lab.next();
  const second = lab.run('send');
  const [response, again] = await arrival;
  response.writeHead(200).end();
  await second.says('notification delivered');
  expect(headerOf(again, 'webhook-id')).toBe(headerOf(attempted, 'webhook-id'));
  expect(again.body).toBe(attempted.body);
  expect(await lab.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
});
