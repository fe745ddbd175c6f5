/** A tab of a browser: what every protocol for driving browsers can do. */

/** Devices and what they do, as WebDriver and WebDriver BiDi have them. */
export type Devices = readonly {
  readonly type: 'key' | 'pointer';
  readonly id: string;
  readonly actions: readonly object[];
}[];

export interface Tab {
  /** `153.7.0` */
  readonly version: string;
  open(url: string): Promise<void>;
  /** Calls the function that the source is of; waits for its promise. */
  call(source: string, argument: string): Promise<string>;
  perform(devices: Devices): Promise<void>;
  /** As PNG, in base64. */
  screenshot(): Promise<string>;
  /** Ends the browser. */
  close(): Promise<void>;
}

/** In pixels. */
export const WINDOW = { width: 1280, height: 900 };
