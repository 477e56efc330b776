import type { DescMessage } from '@bufbuild/protobuf';
import type { Operation } from '@tollfree/contract/operation';
import { operationList } from '@tollfree/contract/operations';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';

/** Fields of the interface that the core does not have under this name, and why. */
const known: Readonly<Record<string, string>> = {
  maxCostPerOperation: 'its two parts are fields of the core',
  'createAuthToken.expiresInDays': 'the gateway makes it a time',
  'createSignInNonce.domain': 'the gateway knows its address',
  'createSignInNonce.uri': 'the gateway knows its address',
  'explainSponsorship.params': 'the gateway reads them as the RPC endpoint does',
  'setFundingWallet.type': 'there is one type',
  'listGasTankEntries.cursor': 'the core lists entries by their numbers',
  'listGasTankEntries.nextCursor': 'the core lists entries by their numbers',
  'getUsage.decisions': 'they stand among the other fields of the message',
  contract: 'the gateway adds the contract of a paymaster’s version',
};

/** What the core appends to the names of some fields. */
const suffixes = ['', 'Micros', 'Json'];

function methodOf(operation: Operation) {
  const recorded = 'rpc' in operation && operation.rpc !== undefined ? operation.rpc : operation.name;
  return CoreService.method[recorded as keyof typeof CoreService.method];
}

/** Names of the fields of a message and of those in it. */
function namesIn(message: DescMessage | undefined, names = new Set<string>()): ReadonlySet<string> {
  for (const field of message?.fields ?? []) {
    if (names.has(field.localName)) continue;
    names.add(field.localName);
    namesIn(field.message, names);
  }
  return names;
}

function propertiesOf(schema: z.ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodArray) return propertiesOf(schema.element as z.ZodType);
  return schema instanceof z.ZodOptional ? propertiesOf(schema.unwrap() as z.ZodType) : [];
}

/** The fields of a description that a message lacks, each in a sentence. */
function missing(operation: Operation, message: DescMessage | undefined, schemas: readonly (z.ZodType | undefined)[]) {
  const names = namesIn(message);
  return schemas
    .flatMap(propertiesOf)
    .filter((field) => !suffixes.some((suffix) => names.has(`${field}${suffix}`)))
    .filter((field) => !(field in known || `${operation.name}.${field}` in known))
    .map(
      (field) =>
        `${operation.name} has the field ${field}: add it to ${message?.typeName} in ${message?.file.name}.proto`,
    );
}

const described = operationList.filter((operation) => !('calls' in operation));

test('the gRPC service has every operation that has a route', () => {
  const without = described.filter((operation) => methodOf(operation) === undefined);
  expect(without.map(({ name }) => `${name} has no rpc in core_service.proto`)).toEqual([]);
});

test('each request message has the fields that its description asks for', () => {
  expect(
    described.flatMap((operation) => {
      const { pathParams, query, body } = operation;
      return missing(operation, methodOf(operation)?.input, [pathParams, query, body]);
    }),
  ).toEqual([]);
});

test('each response message has the fields that its description answers', () => {
  expect(
    described.flatMap((operation) => {
      const value = methodOf(operation)?.output.fields.find(({ localName }) => localName === 'value');
      return missing(operation, value?.message, [operation.data]);
    }),
  ).toEqual([]);
});
