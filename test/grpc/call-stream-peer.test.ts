import { connect } from 'node:http2';
import { create } from '@bufbuild/protobuf';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata as Headers,
  type Metadata,
  status,
} from '@grpc/grpc-js';
import { zeroAddress } from 'viem';
import { expect, onTestFinished, test, vi } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import { unaryMethod } from '../../core/grpc/bridge.ts';
import { accessMetadata } from '../../core/grpc/call-metadata.ts';
import { answerFrame, callFrame, exchangeMethod, frameLimits } from '../../core/grpc/stream/call-frames.ts';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { startTestServer, testToken } from './start-test-server.ts';

/** A peer that speaks to the stream itself. */
function openFrames(address: string, metadata: Metadata = accessMetadata(testToken)) {
  const client = new Client(address, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = exchangeMethod;
  const frames: ClientDuplexStream<Buffer, Buffer> = client.makeBidiStreamRequest(
    ...([path, requestSerialize, responseDeserialize, metadata] as const),
  );
  frames.on('error', () => undefined);
  onTestFinished(() => {
    frames.cancel();
    client.close();
  });
  const ended = new Promise<status>((resolve) => frames.on('status', ({ code }) => resolve(code)));
  return { frames, ended };
}

const shareLimits = unaryMethod(CoreService.method.shareLimits);
const request = shareLimits.requestSerialize(create(CoreService.method.shareLimits.input));
const callOf = (id: number) => ({ id, method: 'ShareLimits', request });
const manyCalls = (count: number) => Array.from({ length: count }, (_, index) => callOf(index));

function readAnswers(frames: ClientDuplexStream<Buffer, Buffer>): { readonly id: number; readonly code: number }[] {
  const answers: { readonly id: number; readonly code: number }[] = [];
  frames.on('data', (bytes: Buffer) => answers.push(...answerFrame.read(bytes).answers));
  return answers;
}

async function startCore(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  server.far.answerWith('shareLimits', async () => accept([]));
  return server;
}

test('a peer without the token gets no stream', async () => {
  const { address, far } = await startCore();
  const { frames, ended } = openFrames(address, new Headers());
  frames.write(callFrame.write({ calls: [callOf(1)] }));
  expect(await ended).toBe(status.UNAUTHENTICATED);
  expect(far.calls).toStrictEqual([]);
});

test.each([
  ['bytes that are no message', Buffer.from('ff00ff00ff', 'hex')],
  ['more calls than a message may have', callFrame.write({ calls: manyCalls(frameLimits.maxItems + 1) })],
  [
    'a message that is too long',
    callFrame.write({ calls: [{ ...callOf(1), request: Buffer.alloc(frameLimits.maxBytes) }] }),
  ],
])('%s: nothing is begun, and the stream ends', async (_, bytes) => {
  const { address, far } = await startCore();
  const { frames, ended } = openFrames(address);
  frames.write(bytes);
  expect(await ended).toBe(status.INVALID_ARGUMENT);
  expect(far.calls).toStrictEqual([]);

  const next = openFrames(address);
  const answers = readAnswers(next.frames);
  next.frames.write(callFrame.write({ calls: [callOf(7)] }));
  await vi.waitFor(() => expect(answers).toMatchObject([{ id: 7, code: status.OK }]));
});

test('a call that cannot be served is answered, and the others of its message are served', async () => {
  const { address, far } = await startCore();
  const { frames } = openFrames(address);
  const answers = readAnswers(frames);
  const broken = { ...callOf(2), request: Buffer.from('ff00ff00ff', 'hex') };
  frames.write(
    callFrame.write({
      calls: [{ ...callOf(1), method: 'toString' }, broken, callOf(3), { ...callOf(4), method: 'CreateAccount' }],
    }),
  );
  await vi.waitFor(() => expect(answers).toHaveLength(4));
  expect(Object.fromEntries(answers.map(({ id, code }) => [id, code]))).toStrictEqual({
    1: status.UNIMPLEMENTED,
    2: status.INVALID_ARGUMENT,
    3: status.OK,
    4: status.UNIMPLEMENTED,
  });
  // A change would have no actor here.
  expect(far.calls.map(({ name }) => name)).toStrictEqual(['shareLimits']);
});

test('calls of all streams and unary ones share the slots of the core', async () => {
  const { address, far } = await startCore({ limits: { maxConcurrentCalls: 2 } });
  far.answerWith('shareLimits', () => new Promise<never>(() => undefined));
  const [one, other] = [openFrames(address), openFrames(address)];
  const answers = [readAnswers(one.frames), readAnswers(other.frames)];
  for (const { frames } of [one, other]) frames.write(callFrame.write({ calls: manyCalls(2) }));
  await vi.waitFor(() => expect(answers.flat().map(({ code }) => code)).toStrictEqual([14, 14]));
  expect(far.calls).toHaveLength(2);
});

test('a peer that does not take its answers has no more calls taken, and they go on once it does', async () => {
  const { address, far } = await startCore();
  // Some 4 kB each.
  far.answerWith('listEntryPoints', async () => accept(Array.from({ length: 100 }, () => zeroAddress)));
  // The library takes what arrives in any case, so this peer speaks HTTP/2 itself.
  const session = connect(`http://${address}`);
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ':method': 'POST',
    ':path': exchangeMethod.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${testToken.reveal()}`,
  });
  const calls = manyCalls(50).map(({ id }) => ({ id, method: 'ListEntryPoints' }));
  const message = callFrame.write({ calls });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const messages = 40;
  for (let sent = 0; sent < messages; sent += 1) stream.write(Buffer.concat([head, message]));
  let seen = 0;
  await vi.waitFor(
    () => {
      const before = seen;
      seen = far.calls.length;
      expect([seen > 0, seen]).toStrictEqual([true, before]);
    },
    { timeout: 20_000, interval: 300 },
  );
  expect(seen).toBeLessThan((messages * calls.length) / 2);
  stream.resume();
  await vi.waitFor(() => expect(far.calls).toHaveLength(messages * calls.length), { timeout: 20_000 });
});

test('a stream whose client is gone leaves its room to the next one', async () => {
  const { address } = await startCore({ limits: { maxCallStreams: 1 } });
  const first = openFrames(address);
  await new Promise((resolve) => first.frames.once('metadata', resolve));
  expect(await openFrames(address).ended).toBe(status.UNAVAILABLE);
  first.frames.cancel();
  await vi.waitFor(async () => {
    const next = openFrames(address);
    const isOpen = new Promise((resolve) => next.frames.once('metadata', () => resolve('open')));
    expect(await Promise.race([isOpen, next.ended])).toBe('open');
  });
});
