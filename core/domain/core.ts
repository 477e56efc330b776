import { type AccountOperations, accountOperations } from './operations/account-operations.ts';
import { type BudgetOperations, budgetOperations } from './operations/budget-operations.ts';
import { type BundlerOperations, bundlerOperations } from './operations/bundler-operations.ts';
import { type ContractOperations, contractOperations } from './operations/contract-operations.ts';
import type { CoreMethods } from './operations/core-methods.ts';
import { type DecisionOperations, decisionOperations } from './operations/decision-operations.ts';
import { type GasTankOperations, gasTankOperations } from './operations/gas-tank-operations.ts';
import { type LedgerOperations, ledgerOperations } from './operations/ledger-operations.ts';
import { type MemberOperations, memberOperations } from './operations/member-operations.ts';
import { type NotificationOperations, notificationOperations } from './operations/notification-operations.ts';
import { type PaymasterOperations, paymasterOperations } from './operations/paymaster-operations.ts';
import { type PolicyOperations, policyOperations } from './operations/policy-operations.ts';
import { type ServiceOperations, serviceOperations } from './operations/service-operations.ts';
import { type SessionOperations, sessionOperations } from './operations/session-operations.ts';
import { type SponsorshipOperations, sponsorshipOperations } from './operations/sponsorship-operations.ts';
import { type WebhookOperations, webhookOperations } from './operations/webhook-operations.ts';

/**
 * All operations of the service, in domain types. There are two implementations: local (`local.ts`) and over gRPC
 * (`grpc/client.ts`). Refusals are data; a rejected promise is a bug or a broken transport.
 */
export type Core = AccountOperations &
  SessionOperations &
  MemberOperations &
  BudgetOperations &
  PaymasterOperations &
  ContractOperations &
  WebhookOperations &
  PolicyOperations &
  DecisionOperations &
  NotificationOperations &
  SponsorshipOperations &
  BundlerOperations &
  GasTankOperations &
  LedgerOperations &
  ServiceOperations;

/** What an operation takes. */
export type Input<Name extends keyof Core> = Parameters<Core[Name]>[0];

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
