import { writeFileSync } from 'node:fs';
import { openApiText, referenceText } from '../contract/openapi.ts';

/** Writes `contract/openapi.json`, and `contract/reference.json` for the page at `/docs`. */
writeFileSync('contract/openapi.json', openApiText());
writeFileSync('contract/reference.json', referenceText());
