import { create, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { defaultPolicy, PolicySchema } from '../../core/domain/policy.ts';
import { messageCodec } from '../../core/grpc/codec/message-codec.ts';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import * as policies from '../../proto/gen/tollfree/core/v1/policy_pb.ts';
import { startTestServer, testToken } from './start-test-server.ts';

const { setPolicy } = CoreService.method;
/** Field 5000 with the value 1, as a later version could send it. */
const laterField = { no: 5000, wireType: 0, data: Uint8Array.of(1) };

async function call(request: Uint8Array) {
  const { address, far } = await startTestServer();
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${testToken.reveal()}`);
  const path = `/${setPolicy.parent.typeName}/${setPolicy.name}`;
  const code = await new Promise<{ code?: status; details?: string }>((resolve) => {
    client.makeUnaryRequest(
      path,
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Buffer) => bytes,
      request,
      metadata,
      (error) => resolve(error ?? {}),
    );
  });
  return { ...code, performed: far.calls };
}

test.each([
  ['of the request', true],
  ['of a limit in its policy', false],
])('refuses a call with a field %s that a later version knows', async (_, atTop) => {
  const limit = { per: 'total', window: 'day', unit: 'wei', max: 1n } as const;
  const policy = messageCodec(PolicySchema, policies.PolicySchema).toWire({ ...defaultPolicy, limits: [limit] });
  const request = create(setPolicy.input, { accountId: 'a', paymasterId: 'p', policy });
  const [inPolicy] = request.policy?.limits ?? [];
  const message = atTop ? request : inPolicy;
  if (message === undefined) throw new Error('no limit');
  const plain = await call(toBinary(setPolicy.input, request));
  message.$unknown = [laterField];
  const newer = await call(toBinary(setPolicy.input, request));
  expect(plain.performed).toHaveLength(1);
  expect(newer.performed).toHaveLength(0);
  expect(newer.code).toBe(status.UNIMPLEMENTED);
  expect(newer.details).toBe(`${message.$typeName} has no field 5000`);
});
