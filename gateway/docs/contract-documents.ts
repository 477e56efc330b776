import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** In a clone the package of the contract. The build puts its documents next to the documentation. */
const folder = resolve(import.meta.dirname, '../../contract');

/** The documents of the API that the service reads: its OpenAPI document, the same with one entry for each RPC method, and a schema. */
export const contractDocuments = ['openapi.json', 'reference.json', 'schemas/policy.json'] as const;

/** The text of a document of the API. */
export function readContractDocument(name: (typeof contractDocuments)[number]): string {
  return readFileSync(resolve(folder, name), 'utf8');
}
