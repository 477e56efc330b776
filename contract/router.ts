import { ContractNoBody, initContract } from '@ts-rest/core';
import type { z } from 'zod';
import { managementPrefix, type Operation } from './operation.ts';
import { managementOperations } from './operations.ts';

/** An operation as a route of ts-rest. */
type Route<O> = O extends Operation
  ? Omit<O, 'path' | 'body' | 'headers'> & {
      readonly path: `${typeof managementPrefix}${O['path']}`;
      readonly metadata: Operation;
    } & (O['headers'] extends z.ZodType ? { readonly headers: O['headers'] } : unknown) &
      (O['method'] extends 'GET'
        ? unknown
        : { readonly body: O extends { readonly body: infer Body extends z.ZodType } ? Body : typeof ContractNoBody })
  : never;

type Routes<Resources> = {
  readonly [Resource in keyof Resources]: {
    readonly [Name in keyof Resources[Resource]]: Route<Resources[Resource][Name]>;
  };
};

function route(operation: Operation): Route<Operation> {
  const { method, path, summary, headers, pathParams, query, body, responses } = operation;
  const parts = { headers, pathParams, query, ...(method === 'GET' ? {} : { body: body ?? ContractNoBody }) };
  const present = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
  const described = { method, path: `${managementPrefix}${path}`, summary, ...present, responses, metadata: operation };
  return described as unknown as Route<Operation>;
}

function routes<Resources extends object>(resources: Resources): Routes<Resources> {
  const entries = Object.entries(resources).map(([resource, operations]) => [
    resource,
    Object.fromEntries(Object.entries(operations as object).map(([name, each]) => [name, route(each as Operation)])),
  ]);
  return Object.fromEntries(entries) as Routes<Resources>;
}

/**
 * The management API as a ts-rest contract, for the gateway and for ts-rest clients. The only file of the contract that
 * knows ts-rest.
 */
export const managementRouter = initContract().router(routes(managementOperations));
export type ManagementRouter = typeof managementRouter;
