import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Express } from 'express';
import { answerOtherMethods } from '../http/method-not-allowed.ts';
import { sendJsonText } from '../http/send-json.ts';
import { renderDocsPage } from './docs-page.ts';

const openApiFile = createRequire(import.meta.url).resolve('@tollfree/contract/openapi.json');

/** `/openapi.json`, a page for people made from it at `/docs`, and a pointer to both at `/`. */
export function addDocsRoutes(app: Express): void {
  const openApiText = readFileSync(openApiFile, 'utf8');
  const page = renderDocsPage(JSON.parse(openApiText));
  const index = JSON.stringify({ name: 'Tollfree', docs: '/docs', openapi: '/openapi.json' });
  app.get('/', (_request, response) => sendJsonText(response, 200, index));
  app.get('/openapi.json', (_request, response) => sendJsonText(response, 200, openApiText));
  app.get('/docs', (_request, response) => {
    response.type('html').send(page);
  });
  for (const path of ['/', '/openapi.json', '/docs']) {
    answerOtherMethods(app, path, ['GET']);
  }
}
