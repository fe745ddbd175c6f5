import { describe, expect, test } from 'vitest';
import { databaseAttributes } from './statement-spans.ts';
import { tracesSettings } from './traces-settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('traces', () => {
  test('are enabled if a collector is set', () => {
    const settings = { endpoint: 'http://127.0.0.1:4318', protocol: 'http/protobuf', continues: true };
    expect(tracesSettings({})).toBeUndefined();
    expect(tracesSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBeUndefined();
    expect(tracesSettings(ENDPOINT)).toEqual(settings);
    expect(tracesSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/x' })).toEqual({
      ...settings,
      endpoint: 'http://127.0.0.1:4318/x',
    });
  });

  test('are disabled if the variables of OpenTelemetry say so', () => {
    expect(tracesSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'True' })).toBeUndefined();
    expect(tracesSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'no' })).toBeDefined();
    expect(tracesSettings({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
    expect(tracesSettings({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'console, otlp' })).toBeDefined();
  });

  test('use the protocol set for them, or for all signals', () => {
    const OTEL_EXPORTER_OTLP_PROTOCOL = 'grpc';
    expect(tracesSettings({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL })?.protocol).toBe('grpc');
    const OTEL_EXPORTER_OTLP_TRACES_PROTOCOL = 'http/json';
    const both = { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL };
    expect(tracesSettings(both)?.protocol).toBe('http/json');
    expect(tracesSettings({ ...ENDPOINT, OTEL_PROPAGATORS: 'none' })?.continues).toBe(false);
  });

  test('name the database, and never its password', () => {
    expect(databaseAttributes('sqlite:./data/blog.db')).toEqual({ 'db.system.name': 'sqlite' });
    for (const url of ['postgres://a:secret@db1,db2:5433/blog?sslmode=require', 'postgresql://db/blog']) {
      expect(databaseAttributes(url)).toEqual({ 'db.system.name': 'postgresql', 'db.namespace': 'blog' });
    }
    expect(databaseAttributes('mariadb://a@db/blog')).toEqual({ 'db.system.name': 'mariadb', 'db.namespace': 'blog' });
    expect(databaseAttributes('mysql://a:se/cret@db/blog')).toEqual({ 'db.system.name': 'mysql' });
  });
});
