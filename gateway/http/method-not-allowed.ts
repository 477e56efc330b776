import { managementErrors } from '@tollfree/contract/errors';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import type { Express, Request, Response } from 'express';
import { sendError } from './send-json.ts';

function routesOf(router: AppRouter): AppRoute[] {
  return Object.values(router).flatMap((value) => (isAppRoute(value) ? [value] : routesOf(value)));
}

/** Answers the methods a path does not have: 405 with Allow; OPTIONS gets Allow alone, and no CORS. */
export function answerOtherMethods(app: Express, path: string, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  app.all(path, (request: Request, response: Response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { allow }).end();
      return;
    }
    sendError(response, managementErrors.methodNotAllowed, { allow });
  });
}

/** {@link answerOtherMethods} for every path of a contract; goes after its routes. */
export function answerOtherMethodsOf(app: Express, router: AppRouter): void {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routesOf(router)) {
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  for (const [path, names] of methods) {
    answerOtherMethods(app, path, names);
  }
}
