import { create } from '@bufbuild/protobuf';
import { coreOperations } from '@tollfree/contract/core-operations';
import { expect, test } from 'vitest';
import { type Scope, scopes } from '../../core/domain/access/scope.ts';
import type { Account, AuthTokenRecord } from '../../core/domain/account.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { address } from '../../core/grpc/codec/address.ts';
import { decimal } from '../../core/grpc/codec/decimal.ts';
import { listOf } from '../../core/grpc/codec/list.ts';
import { messageOf } from '../../core/grpc/codec/message-of.ts';
import { oneOf } from '../../core/grpc/codec/one-of.ts';
import { required } from '../../core/grpc/codec/presence.ts';
import { seconds } from '../../core/grpc/codec/seconds.ts';
import { soleField } from '../../core/grpc/codec/sole-field.ts';
import { trueOrAbsent } from '../../core/grpc/codec/true-or-absent.ts';
import { policy } from '../../core/grpc/messages/policy-messages.ts';
import { operationNames } from '../../core/grpc/operations.ts';
import { AccountSchema, AuthTokenRecordSchema } from '../../proto/gen/tollfree/core/v1/account_pb.ts';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { FinalPaymasterDataSchema } from '../../proto/gen/tollfree/core/v1/paymaster_data_pb.ts';
import { PolicySchema } from '../../proto/gen/tollfree/core/v1/policy_pb.ts';
import { ListSessionsRequestSchema } from '../../proto/gen/tollfree/core/v1/sign_in_pb.ts';

const accountFields = { createdAt: seconds, wallet: address, invited: trueOrAbsent, suspendedAt: seconds };
const account = messageOf<Account>()(AccountSchema, accountFields);

test('the service has a method for every operation of the core, and no other', () => {
  const names = [...operationNames.map((name) => coreOperations[name].recordedAs), 'status'];
  expect(Object.keys(CoreService.method).sort()).toStrictEqual([...names].sort());
});

test('fields that are the same on both sides need no word; absent ones stay absent', () => {
  const record = messageOf<AuthTokenRecord>()(AuthTokenRecordSchema, {
    createdAt: seconds,
    expiresAt: seconds,
    revokedAt: seconds,
    lastUsedAt: seconds,
    scopes: listOf<Scope, string>(oneOf(scopes)),
    madeBy: address,
  });
  const domain = { authTokenId: 'id', name: '', scopes: [] as const, createdAt: 0, revokedAt: 7 };
  const message = record.toWire(domain);
  expect(message).toStrictEqual(
    create(AuthTokenRecordSchema, { authTokenId: 'id', name: '', createdAt: 0n, revokedAt: 7n }),
  );
  expect(record.toDomain(message)).toStrictEqual(domain);
});

test('a policy of a program that knows no accounts field has known accounts only', () => {
  const { accounts, ...message } = policy.toWire({ ...defaultPolicy, accounts: 'ANY' });
  expect(accounts).toBe('ANY');
  expect(policy.toDomain(create(PolicySchema, message))).toStrictEqual(defaultPolicy);
  expect(() => policy.toDomain(create(PolicySchema, { ...message, accounts: 'SOME' }))).toThrow('accounts');
});

test('a value that is missing or does not fit is an error that names the field and not the value', () => {
  const { name: _, ...nameless } = { accountId: 'id', name: 'n', createdAt: 1 };
  expect(() => account.toWire(nameless as Account)).toThrow(
    'tollfree.core.v1.Account.name: a required value is missing',
  );
  expect(() => account.toWire({ accountId: 'id', name: 'n', createdAt: Number.NaN })).toThrow('Account.created_at');
  const tank = messageOf<{ signed: Account; gasEstimated: boolean }>();
  // @ts-expect-error the field holds another message than an account
  const final = tank(FinalPaymasterDataSchema, { signed: required(account) });
  expect(() => final.toDomain(create(FinalPaymasterDataSchema))).toThrow(
    'FinalPaymasterData.signed: a required value is missing',
  );
});

test('a message that cannot be converted does not compile, and what types do not see fails at the start', () => {
  // @ts-expect-error a time needs a codec
  messageOf<Account>()(AccountSchema);
  // @ts-expect-error an amount is no time
  messageOf<Account>()(AccountSchema, { ...accountFields, createdAt: decimal });
  // @ts-expect-error the message has no such field
  expect(() => messageOf<Account & { color: string }>()(AccountSchema, { ...accountFields, color: decimal })).toThrow(
    'tollfree.core.v1.Account has no field color',
  );
  // @ts-expect-error the domain type lacks a field of the message
  messageOf<Omit<Account, 'name'>>()(AccountSchema, accountFields);
  // @ts-expect-error the wire does not tell an absent name from an empty one
  messageOf<Omit<Account, 'name'> & { name?: string }>()(AccountSchema, accountFields);
  // @ts-expect-error an absent session would arrive where one belongs
  messageOf<{ accountId: string; session: string }>()(ListSessionsRequestSchema);
  // @ts-expect-error there is more than one field
  expect(() => soleField(AccountSchema, decimal)).toThrow('tollfree.core.v1.Account must have exactly one field');
  // @ts-expect-error a message needs a codec, whatever the types say
  expect(() => messageOf<{ signed: string; gasEstimated: boolean }>()(FinalPaymasterDataSchema, {})).toThrow(
    'tollfree.core.v1.FinalPaymasterData.signed needs a codec',
  );
});
