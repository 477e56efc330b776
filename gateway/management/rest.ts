import { exactly } from '@tollfree/contract/fields/exactly';
import type { Operation } from '@tollfree/contract/operation';
import { managementRouter } from '@tollfree/contract/router';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { Express, NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import { answerOtherMethods } from '../http/send-json.ts';
import { type Parse, parseAll, parseKnown } from './parse-request.ts';

// The only file of the gateway that knows ts-rest.

/** What ts-rest adds to a request of one of its routes. */
export type Routed = { readonly tsRestRoute: { readonly metadata?: unknown } };

/** The operation of a request. */
export function operationOf({ tsRestRoute }: Routed): Operation {
  return tsRestRoute.metadata as Operation; // the contract's router puts it there
}

/** A request whose parts were parsed by its operation's schemas. */
export type RestCall = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly request: Request;
  readonly response: Response;
};

/** The HTTP status of an answer, and its body: an object, or a stream that is sent unchanged. */
export type RestAnswer = { readonly status: number; readonly body: unknown };

export type Handler = (call: RestCall) => Promise<RestAnswer>;

type Middleware = (request: Request & Routed, response: Response, next: NextFunction) => void | Promise<void>;

/**
 * Adds the routes of the management API: middleware in its order, then schemas, then the handler. Answers are checked by
 * their schemas, which also remove undeclared fields. Other methods of the same paths are answered too.
 */
export function addManagementRoutes(
  app: Express,
  parts: {
    readonly handlerOf: (operation: Operation) => Handler;
    readonly middleware: readonly Middleware[];
    /** Answers a request that fails its schemas. */
    readonly refuse: (response: Response, issues: readonly { readonly message: string }[]) => void;
  },
): void {
  type Endpoints = Parameters<typeof createExpressEndpoints<AppRouter>>;
  const handlers = mapRoutes(managementRouter, ({ metadata }) => {
    const handle = parts.handlerOf(metadata as Operation);
    return ({ req, res, ...rest }: Omit<RestCall, 'request' | 'response'> & { req: Request; res: Response }) =>
      handle({ ...rest, request: req, response: res });
  });
  createExpressEndpoints<AppRouter>(mapRoutes(managementRouter, parseRouteNow), handlers as Endpoints[1], app, {
    logInitialization: false,
    jsonQuery: false,
    responseValidation: true,
    globalMiddleware: [...parts.middleware] as NonNullable<NonNullable<Endpoints[3]>['globalMiddleware']>,
    requestValidationErrorHandler: (error: RequestValidationError, _request: unknown, response: Response) => {
      // The first part that failed.
      const failed = error.pathParams ?? error.headers ?? error.query ?? error.body;
      parts.refuse(response, failed?.issues ?? []);
    },
  });
  const methods = new Map<string, string[]>();
  mapRoutes(managementRouter, ({ path, method }) => methods.set(path, [...(methods.get(path) ?? []), method]));
  for (const [path, names] of methods) answerOtherMethods(app, path, names);
}

type Mapped<Value> = { [name: string]: Value | Mapped<Value> };

function mapRoutes<Value>(router: AppRouter, map: (route: AppRoute) => Value): Mapped<Value> {
  const entries = Object.entries(router).map(([name, value]): [string, Value | Mapped<Value>] => [
    name,
    isAppRoute(value) ? map(value) : mapRoutes(value, map),
  ]);
  return Object.fromEntries(entries);
}

function parseRouteNow(route: AppRoute): AppRoute {
  const { ignoresUnknown } = route.metadata as Operation;
  const sent = ignoresUnknown === true ? parseKnown : parseAll;
  const { pathParams, query, responses } = route;
  const body = 'body' in route ? route.body : undefined;
  return {
    ...route,
    ...parseParts({ pathParams, body, query: query ?? noQuery }, sent),
    responses: parseParts(responses, parseAll),
  } as AppRoute;
}

/** Of a route without query parameters. */
const noQuery = exactly({});

function parseParts(parts: object, parse: Parse): object {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, part instanceof z.ZodType ? parseNow(part, parse) : part]),
  );
}

/**
 * A schema in the only form that ts-rest accepts, parsed synchronously. Zod's own form parses again asynchronously when a
 * check throws, and its unhandled rejection would end the process. Here the error is thrown to the caller.
 */
function parseNow(schema: z.ZodType, parse: Parse) {
  return {
    '~standard': {
      version: 1,
      vendor: 'tollfree',
      validate: (value: unknown) => parse(schema, value),
    },
  };
}
