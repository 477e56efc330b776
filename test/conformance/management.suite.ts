import { describe } from 'vitest';
import { useService } from '../support/interface/use-service.ts';
import type { ServiceOptions } from '../support/service/running-service.ts';
import { describeAccountsAndKeys } from './accounts-and-keys.suite.ts';
import { describeFundingWallet } from './funding-wallet.suite.ts';
import { describeManagementAnswers } from './management-answers.suite.ts';
import { describeManagementErrors } from './management-errors.suite.ts';
import { describeManagementSuccesses } from './management-successes.suite.ts';
import { describeSignIn } from './sign-in.suite.ts';

/** The management interface, rule by rule, on one service. */
export function describeManagement(handle: NonNullable<ServiceOptions['handle']>): void {
  describe(`management interface over the ${handle} handle`, () => {
    const service = useService({ handle });
    describe('interface section 4', () => describeManagementSuccesses(service));
    describe('interface section 7', () => describeManagementErrors(service));
    describe('accounts and keys', () => describeAccountsAndKeys(service));
    describe('answers', () => describeManagementAnswers(service));
    describe('funding wallet', () => describeFundingWallet(service));
    describe('sign-in', () => describeSignIn(service));
  });
}
