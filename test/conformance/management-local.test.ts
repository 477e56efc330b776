import { describeManagement } from './management.suite.ts';

describeManagement('local');
