import { accountOperations } from './operations/account-operations.ts';
import { budgetOperations } from './operations/budget-operations.ts';
import { bundlerOperations } from './operations/bundler-operations.ts';
import { contractOperations } from './operations/contract-operations.ts';
import type { CoreMethods, OperationsOf } from './operations/core-methods.ts';
import { decisionOperations } from './operations/decision-operations.ts';
import { gasTankOperations } from './operations/gas-tank-operations.ts';
import { ledgerOperations } from './operations/ledger-operations.ts';
import { memberOperations } from './operations/member-operations.ts';
import { notificationOperations } from './operations/notification-operations.ts';
import { paymasterOperations } from './operations/paymaster-operations.ts';
import { policyOperations } from './operations/policy-operations.ts';
import { type StatusOperation, serviceOperations } from './operations/service-operations.ts';
import { sessionOperations } from './operations/session-operations.ts';
import { sponsorshipOperations } from './operations/sponsorship-operations.ts';
import { webhookOperations } from './operations/webhook-operations.ts';

/** Input and output of the operations, grouped by the .proto file that their new messages go to. */
export const coreMethods = {
  account: accountOperations,
  sign_in: sessionOperations,
  member: memberOperations,
  budget: budgetOperations,
  paymaster: paymasterOperations,
  smart_contract: contractOperations,
  webhook: webhookOperations,
  policy: policyOperations,
  decision: decisionOperations,
  notification: notificationOperations,
  sponsorship: sponsorshipOperations,
  bundler: bundlerOperations,
  ledger: { ...gasTankOperations, ...ledgerOperations },
  status: serviceOperations,
} as const satisfies { readonly [file: string]: CoreMethods };

type Groups = typeof coreMethods;
type InAllOf<Group> = (Group extends unknown ? (group: Group) => void : never) extends (all: infer All) => void
  ? All
  : never;

/**
 * All operations of the service, in domain types. There are two implementations: local (`local.ts`) and over gRPC
 * (`grpc/client.ts`). Refusals are data; a rejected promise is a bug or a broken transport.
 */
export type Core = OperationsOf<InAllOf<Groups[keyof Groups]>> & StatusOperation;

/** The names of the operations of these groups. */
export type NamesIn<Group extends keyof Groups> = Group extends unknown ? keyof Groups[Group] : never;

/** What an operation takes. */
export type Input<Name extends keyof Core> = Parameters<Core[Name]>[0];
