import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { policyFilePath } from '@tollfree/contract/policies/policy-file';
import type { Express } from 'express';
import type { DashboardFiles } from '../dashboard/dashboard-files.ts';
import { answerOtherMethods } from '../http/method-not-allowed.ts';
import { sendJsonText } from '../http/send-json.ts';
import { renderReferencePage } from './reference-page.ts';

const { resolve } = createRequire(import.meta.url);

/** The reference's own files alone. It puts its styles into the page itself; scripts in the page stay forbidden. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** The script of the reference is built beside the dashboard. */
const scriptName = /^assets\/reference-[\w-]+\.js$/;

/**
 * `/openapi.json` for programs, a reference for people at `/docs`, and a pointer to both at `/`. Without built files `/docs`
 * leads to the document. Beside them the schema of policy files, for editors.
 */
export function addDocsRoutes(app: Express, files: DashboardFiles | undefined): void {
  const openApiText = readFileSync(resolve('@tollfree/contract/openapi.json'), 'utf8');
  const referenceText = readFileSync(resolve('@tollfree/contract/reference.json'), 'utf8');
  const policyFileText = readFileSync(resolve('@tollfree/contract/schemas/policy.json'), 'utf8');
  const index = JSON.stringify({ name: 'Tollfree', docs: '/docs', openapi: '/openapi.json' });
  app.get('/', (_request, response) => sendJsonText(response, 200, index));
  app.get('/openapi.json', (_request, response) => sendJsonText(response, 200, openApiText));
  app.get('/docs/reference.json', (_request, response) => sendJsonText(response, 200, referenceText));
  app.get(policyFilePath, (_request, response) => sendJsonText(response, 200, policyFileText));
  const script = [...(files?.keys() ?? [])].find((name) => scriptName.test(name));
  const page = script === undefined ? undefined : renderReferencePage(`/dashboard/${script}`, '/docs/reference.json');
  app.get('/docs', (_request, response) => {
    if (page === undefined) {
      response.redirect(302, '/openapi.json');
      return;
    }
    response.setHeader('content-security-policy', contentSecurityPolicy);
    response.setHeader('x-frame-options', 'DENY');
    response.type('html').send(page);
  });
  for (const path of ['/', '/openapi.json', '/docs', '/docs/reference.json', policyFilePath]) {
    answerOtherMethods(app, path, ['GET']);
  }
}
