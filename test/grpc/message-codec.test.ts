import { create } from '@bufbuild/protobuf';
import { coreOperations } from '@tollfree/contract/core-operations';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { address, amount, listOf, message, seconds, text } from '../../core/base/message-schema.ts';
import { FinalPaymasterDataSchema } from '../../core/domain/paymaster-data.ts';
import { defaultPolicy, PolicySchema } from '../../core/domain/policy.ts';
import { RefusalSchema } from '../../core/domain/result/refusal.ts';
import { type Account, AccountSchema, AuthTokenRecordSchema } from '../../core/domain/sign-in.ts';
import { messageCodec } from '../../core/grpc/codec/message-codec.ts';
import { operationNames } from '../../core/grpc/operation.ts';
import * as accounts from '../../proto/gen/tollfree/core/v1/account_pb.ts';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import * as paymasterData from '../../proto/gen/tollfree/core/v1/paymaster_data_pb.ts';
import * as policies from '../../proto/gen/tollfree/core/v1/policy_pb.ts';
import * as refusals from '../../proto/gen/tollfree/core/v1/refusal_pb.ts';

const account = messageCodec(AccountSchema, accounts.AccountSchema);
const policy = messageCodec(PolicySchema, policies.PolicySchema);

test('the service has a method for every operation of the core, and no other', () => {
  const names = [...operationNames.map((name) => coreOperations[name].recordedAs), 'status'];
  expect(Object.keys(CoreService.method).sort()).toStrictEqual([...names].sort());
});

test('a message is as the library makes it, and an absent field stays absent', () => {
  const record = messageCodec(AuthTokenRecordSchema, accounts.AuthTokenRecordSchema);
  const domain = { authTokenId: 'id', name: '', scopes: [] as const, createdAt: 0, revokedAt: 7 };
  const sent = record.toWire(domain);
  expect(sent).toStrictEqual(
    create(accounts.AuthTokenRecordSchema, { authTokenId: 'id', name: '', createdAt: 0n, revokedAt: 7n }),
  );
  expect(record.toDomain(sent)).toStrictEqual(domain);
});

test('a policy of a program that knows no accounts field has known accounts only', () => {
  const { accounts: sent, ...older } = policy.toWire({ ...defaultPolicy, accounts: 'ANY' });
  expect(sent).toBe('ANY');
  expect(policy.toDomain(create(policies.PolicySchema, older))).toStrictEqual(defaultPolicy);
  expect(() => policy.toDomain(create(policies.PolicySchema, { ...older, accounts: 'SOME' }))).toThrow('accounts');
});

test('a refusal of a newer core is still a refusal', () => {
  const refusal = messageCodec(RefusalSchema, refusals.RefusalSchema);
  const sent = create(refusals.RefusalSchema, { reason: 'TIRED', message: 'Try tomorrow.', limitKind: 'MOON' });
  expect(refusal.toDomain(sent)).toStrictEqual({ reason: 'INTERNAL', message: 'Try tomorrow.' });
  const limit = create(refusals.RefusalSchema, { ...sent, reason: 'LIMIT_EXCEEDED' });
  expect(refusal.toDomain(limit)).toMatchObject({ reason: 'LIMIT_EXCEEDED', limitKind: 'POLICY_LIMIT' });
});

test('an error about a missing or wrong value names the field and not the value', () => {
  const { name: _, ...nameless } = { accountId: 'id', name: 'n', createdAt: 1 };
  expect(() => account.toWire(nameless as Account)).toThrow(
    'tollfree.core.v1.Account.name: a required value is missing',
  );
  expect(() => account.toWire({ accountId: 'id', name: 'n', createdAt: Number.NaN })).toThrow('Account.created_at');
  const wrong = create(accounts.AccountSchema, { accountId: 'id', wallet: '0x1234secret' });
  expect(() => account.toDomain(wrong)).toThrow(
    new TypeError('tollfree.core.v1.Account.wallet: an address is expected here'),
  );
  const final = messageCodec(FinalPaymasterDataSchema, paymasterData.FinalPaymasterDataSchema);
  expect(() => final.toDomain(create(paymasterData.FinalPaymasterDataSchema))).toThrow(
    'FinalPaymasterData.signed: a required value is missing',
  );
});

test.each([
  ['a field that the message lacks', { ...AccountSchema.unwrap().shape, color: text }, 'Account has no field color'],
  ['a field of the message that no schema has', { accountId: text }, 'Account.name is in no schema'],
  ['a list where the message has one value', { ...AccountSchema.unwrap().shape, name: listOf(text) }, 'Account.name'],
  ['a value of another type', { ...AccountSchema.unwrap().shape, createdAt: amount }, 'Account.created_at'],
  ['a type that has no form in protobuf', { ...AccountSchema.unwrap().shape, name: z.date() }, 'date does not travel'],
])('generated code that is older than a schema is found at the start: %s', (_, shape, problem) => {
  expect(() => messageCodec(message('Account', shape), accounts.AccountSchema)).toThrow(problem);
});

test('the type of a value is that of its schema', () => {
  const Schema = message('Account', { wallet: address.exactOptional(), at: seconds });
  const known: z.output<typeof Schema> = { at: 1 };
  // @ts-expect-error an address begins with 0x
  const wrong: z.output<typeof Schema> = { at: 1, wallet: 'mine' };
  // @ts-expect-error a time is not optional
  const incomplete: z.output<typeof Schema> = {};
  expect([known, wrong, incomplete]).toHaveLength(3);
});
