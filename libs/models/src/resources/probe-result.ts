/** What a real minimal request to the provider showed. */
export type ProbeResult =
  | {
      readonly ok: true;
      /** Length of the vectors; only of embedders. */
      readonly dimensions?: number;
    }
  | {
      readonly ok: false;
      /** One sentence that says what is wrong and what to do, without any secret. */
      readonly reason: string;
    };
