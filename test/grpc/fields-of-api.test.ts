import { withForm } from '@tollfree/contract/fields/form';
import { address, count, jsonForm, namedForm, usdForm, wei } from '@tollfree/contract/fields/forms';
import { operation } from '@tollfree/contract/operation';
import { countQuery } from '@tollfree/contract/text-field';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldsOfApi } from '../../core/base/fields-of-api.ts';
import { message } from '../../core/base/message-schema.ts';
import { inputOf } from '../../core/domain/operations/core-methods.ts';
import { shapeOf } from '../../core/grpc/codec/message-shape.ts';
import { typeOf } from '../../tools/proto/proto-messages.ts';

const PartSchema = z.object({ wallet: address });
const ApiSchema = z.object({
  id: z.string().describe('The id.'),
  amount: wei.describe('In wei.').optional(),
  maxUsd: withForm(z.string(), usdForm),
  before: withForm(z.record(z.string(), z.unknown()), jsonForm),
  numbers: z.array(count),
  texts: z.array(z.string()).optional(),
  parts: z.array(PartSchema).optional(),
  method: withForm(z.string(), namedForm({ one: 'two' })).describe('The method.'),
});
const Part = message('Part', fieldsOfApi(PartSchema));

test('a message has the fields of the API with the names, types and descriptions that they have in the core', () => {
  const { fields } = shapeOf(message('Whole', fieldsOfApi(ApiSchema, { parts: Part, method: z.enum(['two']) })));
  expect(fields.map((field) => [field.name, typeOf(field), field.isOptional, field.description])).toEqual([
    ['id', 'string', false, 'The id.'],
    ['amount', 'string', true, 'In wei.'],
    ['maxUsdMicros', 'string', false, undefined],
    ['beforeJson', 'string', false, undefined],
    ['numbers', 'repeated uint64', false, undefined],
    ['texts', 'StringList', true, undefined],
    ['parts', 'repeated Part', true, undefined],
    ['method', 'string', false, 'The method.'],
  ]);
});

test('a field that is an object, or has names of its own in the core, does not travel before the message states it', () => {
  const withoutMethod = message('Whole', fieldsOfApi(ApiSchema, { parts: Part }));
  expect(() => shapeOf(withoutMethod)).toThrow('never does not travel');
  const withoutPart = message('Whole', fieldsOfApi(ApiSchema, { method: z.enum(['two']) }));
  expect(() => shapeOf(withoutPart)).toThrow('never does not travel');
});

test('an input has its owner and the fields of path, query and body, with choices as texts', () => {
  const described = operation('updateWebhook', {
    method: 'PATCH',
    path: '/webhook/:webhookId',
    summary: '',
    message: '',
    credentials: 'paymaster',
    scopes: ['manage'],
    repeatable: true,
    // Only the credentials say whose it is.
    pathParams: z.object({ webhookId: z.string(), accountId: count }),
    query: z.object({ limit: countQuery('limit', 9).optional() }),
    body: z.object({ kinds: z.array(z.enum(['A'])).optional(), part: PartSchema, active: z.boolean() }),
  });
  const { fields } = shapeOf(inputOf(described, { part: Part }));
  expect(fields.map((field) => [field.name, typeOf(field), field.isOptional]).sort()).toEqual([
    ['accountId', 'string', false],
    ['active', 'bool', false],
    ['kinds', 'StringList', true],
    ['limit', 'uint32', true],
    ['part', 'Part', false],
    ['paymasterId', 'string', false],
    ['webhookId', 'string', false],
  ]);
  expect(fields.filter(({ value }) => value.kind === 'scalar' && value.choices !== undefined)).toEqual([]);
});
