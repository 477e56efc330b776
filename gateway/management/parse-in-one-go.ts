import type { AppRoute, AppRouter } from '@ts-rest/core';
import { isAppRoute } from '@ts-rest/core';
import { z } from 'zod';

const parsedParts = ['pathParams', 'headers', 'query', 'body'] as const;

/**
 * A schema in the one form ts-rest knows, parsed in one go. Zod's own asks again asynchronously when a check throws,
 * and hands out a promise that no one waits for: its rejection would end the process. Here the error is thrown to the
 * caller.
 */
function parseNow(schema: z.ZodType) {
  return {
    '~standard': {
      version: 1,
      vendor: 'tollfree',
      validate(value: unknown) {
        const parsed = schema.safeParse(value);
        return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
      },
    },
  };
}

function parseRouteNow(route: AppRoute): AppRoute {
  const schemas = parsedParts.flatMap((part) => {
    const schema: unknown = (route as Readonly<Record<string, unknown>>)[part];
    return schema instanceof z.ZodType ? [[part, parseNow(schema)]] : [];
  });
  const responses = Object.entries(route.responses).map(([status, schema]) => [
    status,
    schema instanceof z.ZodType ? parseNow(schema) : schema,
  ]);
  return { ...route, ...Object.fromEntries(schemas), responses: Object.fromEntries(responses) };
}

/** The same contract with schemas whose errors ts-rest catches; for its server side only. */
export function parseInOneGo<Router extends AppRouter>(router: Router): Router {
  const entries = Object.entries(router).map(([name, value]) => [
    name,
    isAppRoute(value) ? parseRouteNow(value) : parseInOneGo(value),
  ]);
  return Object.fromEntries(entries) as Router;
}
