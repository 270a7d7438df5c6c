export { consoleScreens, type ConsoleOptions } from './console/screens.ts'
export { errorPage, staleFormPage } from './error-page.ts'
export { paymentScreens, type PaymentPageOptions } from './payment-page/screens.ts'
export { isOfArea, SIGN_IN_PATHS } from './screen.ts'
export type {
  Answer,
  Ask,
  Reply,
  Screen,
  ScreenRequest,
  SessionChange,
  SessionOpening,
  SessionScreen,
  StreamMessage,
  StreamWriter,
} from './screen.ts'
export {
  FORM_TOKEN,
  type Area,
  type OpenedSession,
  type OpeningFault,
  type Principal,
  type Session,
} from './session.ts'
