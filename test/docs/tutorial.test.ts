import { checkWalkthrough } from "../support/check-walkthrough.js";

checkWalkthrough("tutorial.md");
