import { checkWalkthrough } from "../support/check-walkthrough.js";

checkWalkthrough("session.md");
