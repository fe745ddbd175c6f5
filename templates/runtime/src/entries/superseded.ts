/** Another request changed what the checks of this one were based on; they have to be made again. Never answered. */
export class Superseded extends Error {
  constructor() {
    super('another request was faster');
    this.name = 'Superseded';
  }
}
