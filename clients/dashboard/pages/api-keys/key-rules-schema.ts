import { ApiKeyRulesSchema } from '@tollfree/contract/api-key-rules';
import { z } from 'zod';
import type { FieldSchema } from '../policy/field-schema.ts';

const { properties, ...whole } = z.toJSONSchema(ApiKeyRulesSchema, {
  io: 'input',
  unrepresentable: 'any',
}) as FieldSchema;
const item = properties?.limits?.items;

/** What an apiKey can be bound to, as the contract has it. Its limits are for all who ask with it together. */
export const keyRulesSchema: FieldSchema = {
  ...whole,
  properties: {
    ...properties,
    limits: {
      ...properties?.limits,
      items: { ...item, properties: { ...item?.properties, per: { ...item?.properties?.per, enum: ['TOTAL'] } } },
    },
  },
};
