import { writeFileSync } from 'node:fs';
import { openApiText } from '../../contract/openapi.ts';

/** Writes `contract/openapi.json`. */
writeFileSync('contract/openapi.json', await openApiText());
