import { z } from 'zod';
import { PolicyRequestSchema } from '../contract/policy-fields.ts';
import { writeBetweenMarkers } from './write-between-markers.ts';

type Field = { readonly default?: unknown; readonly description?: string; readonly maxItems?: number };

/** A policy's fields as a table, with the contract's descriptions. */
function fieldTable(): string {
  const { properties = {} } = z.toJSONSchema(PolicyRequestSchema, { io: 'input' });
  const rows = Object.entries(properties as Readonly<Record<string, Field>>).map(([name, field]) => {
    const { default: without = 'none', description = '', maxItems } = field;
    const text = maxItems === undefined ? description : `${description} At most ${maxItems.toLocaleString('en')}.`;
    return `| \`${name}\` | ${Array.isArray(without) ? 'none' : without} | ${text} |`;
  });
  return ['| field | without it | meaning |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** Writes the table of fields into `docs/reference/policies.md`. */
writeBetweenMarkers('docs/reference/policies.md', 'policy fields', 'contract/policy-fields.ts', fieldTable());
