import { mkdirSync, writeFileSync } from 'node:fs';
import { policyFileSchemaText } from '../contract/openapi/openapi-rpc.ts';

/** Writes `contract/schemas/policy.json`, the JSON Schema of policy files. */
mkdirSync('contract/schemas', { recursive: true });
writeFileSync('contract/schemas/policy.json', policyFileSchemaText());
