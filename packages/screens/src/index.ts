export { pendingActionPath } from './console/work/paths.ts'
export { consoleScreens, consoleUploads, type ConsoleOptions } from './console/screens.ts'
export { signInPage } from './console/sign-in.ts'
export { errorPage, staleFormPage } from './error-page.ts'
export { homePage } from './home-page.ts'
export { loadLanguage, type Language } from './languages/language.ts'
export { isLanguageTag, LANGUAGE_TAGS, type LanguageTag, type PageLanguage } from './languages/tags.ts'
export { endedLinkPage } from './onboarding/frame.ts'
export type {
  OnboardingLink,
  OnboardingRequest,
  OnboardingScreen,
  OnboardingUpload,
  UploadedDocument,
} from './onboarding/request.ts'
export { readDocuments } from './onboarding/state.ts'
export { onboardingScreens, onboardingUploads } from './onboarding/screens.ts'
export { paymentScreens, type PaymentPageOptions } from './payment-page/screens.ts'
export { logoUpload, type ReceivedLogo } from './portal/brand/screens.ts'
export {
  acceptedInvitationPage,
  chooseMembershipPage,
  endedInvitationPage,
  invitationPage,
  portalSignInPage,
  SIGN_IN_SENT_PATH,
  signInFaultPage,
  signInSentPage,
  type PortalSignInFault,
} from './portal/sign-in/view.ts'
export { portalScreens } from './portal/screens.ts'
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
  UploadedFile,
  UploadScreen,
} from './screen.ts'
export {
  FORM_TOKEN,
  type Area,
  type OpenedSession,
  type OwnSession,
  type OpeningFault,
  type PeopleOfSession,
  type Session,
} from './session.ts'
