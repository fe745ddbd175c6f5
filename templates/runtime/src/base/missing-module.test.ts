/** What a server says if an optional module, or a package of it, is missing. */
import { expect, test } from 'vitest';
import { explainMissingModule, explainMissingPackage } from './missing-module.ts';

const explained = (message: string) => () => explainMissingModule('mcp')(new Error(message));

test('a missing package must be installed, a missing module generated', () => {
  expect(explained("Cannot find package '@modelcontextprotocol/server' imported from /app/runtime/lib/mcp.js")).toThrow(
    'The package @modelcontextprotocol/server is not installed. Run npm install, and then start again.',
  );
  expect(explained("Cannot find module '/app/runtime/lib/mcp.js' imported from /app/runtime/lib/core.js")).toThrow(
    'This server was generated without mcp. Add it to the schema',
  );
  expect(explained('anything else')).toThrow('anything else');
});

test('a package that a setting needs is installed in a version', () => {
  const explainedPackage = (message: string) => () =>
    explainMissingPackage('SMTP_URL', 'nodemailer@10')(new Error(message));
  expect(explainedPackage("Cannot find package 'nodemailer' imported from /app/runtime/lib/core.js")).toThrow(
    'SMTP_URL needs the package nodemailer. Run npm install nodemailer@10, and then start again.',
  );
  // One that nodemailer itself lacks.
  const other = "Cannot find package 'other' imported from /app/node_modules/nodemailer/index.js";
  expect(explainedPackage(other)).toThrow(other);
});
