import type { AccountOperations } from './operations/account-operations.ts';
import type { BudgetOperations } from './operations/budget-operations.ts';
import type { BundlerOperations } from './operations/bundler-operations.ts';
import type { ContractOperations } from './operations/contract-operations.ts';
import type { DecisionOperations } from './operations/decision-operations.ts';
import type { GasTankOperations } from './operations/gas-tank-operations.ts';
import type { LedgerOperations } from './operations/ledger-operations.ts';
import type { MemberOperations } from './operations/member-operations.ts';
import type { NotificationOperations } from './operations/notification-operations.ts';
import type { PaymasterOperations } from './operations/paymaster-operations.ts';
import type { PolicyOperations } from './operations/policy-operations.ts';
import type { ServiceOperations } from './operations/service-operations.ts';
import type { SessionOperations } from './operations/session-operations.ts';
import type { SponsorshipOperations } from './operations/sponsorship-operations.ts';
import type { WebhookOperations } from './operations/webhook-operations.ts';

/**
 * All the service can do, in domain types. There are two handles: the local one (`local.ts`) and the same over gRPC
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
